"""Words that stand in the way of swapping two roles, as lists; `core.mirror` says what they do."""

from __future__ import annotations

import re
from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GENDERED_PRONOUNS = _words("he she him her hers his himself herself")
NEUTRAL_PRONOUNS = _words("it its itself they them their theirs themselves themself")

GENDERED_WORDS = _words(
    "mr mrs ms miss mister sir madam lady gentleman gentlemen man men woman women male female wife "
    "husband widow widower mother father mum dad son daughter sister brother maternity paternity "
    "pregnant pregnancy breastfeeding landlady landladies waitress waiter chairman chairwoman "
    "spokesman spokeswoman salesman saleswoman workman workmen foreman businessman businesswoman "
    "housewife stewardess hostess actress heiress"
)

SOUNDS_LIKE_A_CONSONANT = (
    "eu",
    "ew",
    "one",
    "once",
    "uni",
    "use",
    "user",
    "usu",
    "ura",
    "ut",
    "ub",
)
"""Starts of words that are written with a vowel and take `a`."""

SOUNDS_LIKE_A_VOWEL = ("hour", "honest", "honor", "honour", "heir")
"""Starts of words that are written with a consonant and take `an`."""

LETTERS_LIKE_A_VOWEL = "AEFHILMNORSX"
"""Letters whose names begin with a vowel sound: `an MSP`."""

UNLIKE_UNI = ("unin", "unim", "unid", "unil")
"""Words that begin with the prefix un- and so take `an`, such as `uninsured`."""

ONE_ONLY = _words("a an each every this that either neither one another")
SEVERAL_ONLY = _words("these those all both several many few two three")
VERBS = _words(
    "is are was were has have does do agrees agree pays pay owns own owes owe waives waive keeps "
    "keep holds hold remains remain fails fail wishes wish accepts accept warrants warrant "
    "represents represent acknowledges acknowledge undertakes undertake grants grant needs need "
    "wants want gives give takes take makes make bears bear"
)
"""Words after a role that agree with it in number; after `shall` or `may` nothing does."""

SINGULAR_IN_S = re.compile(r"(ss|us|is|ness|series|news)$")
IRREGULAR_PLURALS = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "workmen": "workman",
}

SUFFIXES = (
    *("s", "es", "ship", "ships", "hood", "like", "less", "ed", "ing", "ings", "dom"),
    *("ery", "able", "ize", "ise", "in", "innen", "n"),
)
"""Ends that make another form of the same word, in English or German."""

RELATED_PREFIXES = _words("non ex co pre post fellow joint anti pro")
"""What stands before a role and leaves a word that still speaks of it, such as ex-tenant."""

MODIFIERS = _words(
    "parent holding group affiliate affiliated associated sister insurance management head former "
    "prospective new existing subsequent assistant senior chief master prime main third outgoing "
    "incoming current previous principal lead co sub"
)
"""What makes a longer name of a role even at the start of a sentence."""

NO_NAME_PARTS = _words(
    "the a an each any such this that these those every either neither both no all if when where "
    "while as and or but to by for from of in on upon should may only unless until once with "
    "without under after before during because since whether which who whom whose neither nor "
    "not let our your its their his her said per than then so is are be will shall must can would "
    "notwithstanding provided except save against between among at into through via party"
)
"""Capitalised at the start of a sentence or heading; never a part of a party's name."""

COMPANY_ENDS = (
    r"Ltd|Limited|LLC|L\.L\.C|Inc|Corp|Corporation|plc|PLC|GmbH|AG|S\.A|SA|SE|LLP|L\.L\.P|Co|B\.V|"
    r"BV|N\.V|NV|Pty|KG|OHG|SARL|S\.r\.l|SpA|S\.p\.A|Oy|AB|ApS|A/S"
)

STREETS = (
    "Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Close|Square|Place|Boulevard|Blvd|Court|Way|"
    "Terrace|Crescent|Gardens|Row|Hill|Quay|Parade|Highway"
)


@dataclass(frozen=True, slots=True)
class Kin:
    """Names for the two sides of one kind of contract, and words that tie the sides together."""

    one: frozenset[str]
    other: frozenset[str]
    ties: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """Names of either side."""
        return self.one | self.other


def _kin(one: str, other: str, ties: str = "") -> Kin:
    return Kin(_words(one), _words(other), _words(ties))


KINS = (
    _kin(
        "employer company firm",
        "employee worker staff personnel workforce",
        "employ employs employed employing employment employments reemployment unemployed "
        "unemployment",
    ),
    _kin(
        "landlord landlady lessor proprietor vermieter bailleur",
        "tenant lessee renter occupier occupant mieter locataire",
        "tenancy tenancies tenanted untenanted subtenancy mietverhältnis",
    ),
    _kin(
        "supplier vendor seller provider merchant",
        "customer buyer purchaser client consumer subscriber",
    ),
    _kin("lender creditor mortgagee", "borrower debtor obligor mortgagor"),
    _kin("insurer underwriter", "insured policyholder"),
    _kin("licensor", "licensee"),
    _kin("franchisor", "franchisee", "franchised franchising"),
    _kin("contractor builder", "client owner", "subcontractor"),
    _kin("discloser", "recipient"),
    _kin("assignor", "assignee"),
    _kin("guarantor surety", "beneficiary obligee"),
    _kin("carrier shipper consignor", "consignee"),
)
"""Kinds of contracts with the names that their parties go by."""
