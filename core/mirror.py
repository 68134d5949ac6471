"""Swapping two roles in a text, and what stands in the way.

A mirror test asks the same clause with its parties exchanged. The exchange is lossless when only
the names of the roles differ between both texts and both still read as the same clause. Whatever a
plain swap leaves behind, such as a plural, a pronoun or a proper name, tells which text is which.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core import mirror_words as words

HYPHENS = "-\u2010\u2011"
QUOTES = "\"'“”\u2018’«»„"
WORD = re.compile(r"[^\W\d_]+")

ELIDED = re.compile(
    r"(?<!\w)(?:[ldn]|qu)['’]\Z|(?<!\w)(?:le|la|du|au|que)[ \u00a0]\Z", re.IGNORECASE
)
BEGINS = re.compile(r"(?:\A|[.!?:;\n)•–—-])\s*\Z")
"""What a text ends in before the first word of a sentence or item."""

LONGEST = 20_000
"""Most characters of a text."""

NEAR = 80
"""Characters before a role in which its article, or the rest of a longer name, is looked for."""
VOWELS = frozenset("aeiouàâäéèêëîïôöùûü")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a text that matters for a swap."""

    kind: str
    """Kind of obstacle, in a word or two."""
    words: str
    """The words of the text that it concerns; empty when it concerns the whole."""
    why: str
    start: int = 0
    """Where the words stand."""

    def sentence(self) -> str:
        """Say it in one line of plain text."""
        return f"“{self.words}”: {self.why}" if self.words else self.why


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a role is named."""

    role: int
    """0 or 1."""
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Mirrored:
    """A text with its roles swapped, and what stands in the way of calling that lossless."""

    text: str
    swapped: str
    """Equal to the text where it cannot be swapped at all."""
    obstacles: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    """Worth a look; they do not stand in the way."""
    mentions: tuple[int, int]
    """How often each role is named."""

    @property
    def is_lossless(self) -> bool:
        """Whether nothing stands in the way."""
        return not self.obstacles


def mirror(text: str, roles: tuple[str, str]) -> Mirrored:
    """Swap two roles in a text.

    Parameters
    ----------
    text
        A clause. It is data: nothing in it is followed or interpreted.
    roles
        Names of the two roles as the text writes them; capitals follow the word that is replaced.

    Returns
    -------
    Mirrored
        The swapped text with every obstacle found, in the order in which they stand.
    """
    names = (" ".join(roles[0].split()), " ".join(roles[1].split()))
    faults = _unusable(text, names)
    if faults:
        return Mirrored(text, text, tuple(faults), (), (0, 0))
    swap = _Swap(text, names)
    swapped, uneven = swap.apply()
    obstacles = [*uneven, *swap.obstacles()]
    if not obstacles and _Swap(swapped, names).apply()[0] != text:
        why = "swapping back does not give the same text again"
        obstacles.append(Finding("not reversible", "", why))
    named = {found.words for found in obstacles}
    notes = [note for note in swap.notes() if note.words not in named]
    return Mirrored(text, swapped, _once(obstacles), _once(notes), swap.counts)


def mentions(text: str, roles: tuple[str, str]) -> tuple[Mention, ...]:
    """Find every place where a role is named as a whole word, in order; as `mirror` finds them."""
    return _Swap(text, (" ".join(roles[0].split()), " ".join(roles[1].split()))).mentions


def article(name: str) -> str:
    """Return the English indefinite article that a name takes: `a` or `an`."""
    first = name.split()[0] if name.split() else ""
    if len(first) > 1 and first.isupper() and not VOWELS & set(first[1:].lower()):
        return "an" if first[0] in words.LETTERS_LIKE_A_VOWEL else "a"
    lower = first.casefold()
    if lower.startswith(words.SOUNDS_LIKE_A_VOWEL):
        return "an"
    if lower.startswith(words.SOUNDS_LIKE_A_CONSONANT) and not lower.startswith(words.UNLIKE_UNI):
        return "a"
    return "an" if lower[:1] in VOWELS else "a"


def _unusable(text: str, names: tuple[str, str]) -> list[Finding]:
    """Report what leaves nothing to swap."""
    if not text.strip():
        return [Finding("no clause", "", "there is no text to mirror")]
    if len(text) > LONGEST:
        why = f"the text has {len(text):,} characters; at most {LONGEST:,} are looked at"
        return [Finding("too long", "", why)]
    if not all(names):
        return [Finding("no role", "", "two roles are needed, and one has no name")]
    if names[0].casefold() == names[1].casefold():
        return [Finding("one role", names[0], "two different roles are needed")]
    return []


def _once(found: list[Finding]) -> tuple[Finding, ...]:
    """Order findings by place; the same words for the same kind count once."""
    kept: dict[tuple[str, str], Finding] = {}
    for finding in sorted(found, key=lambda each: each.start):
        kept.setdefault((finding.kind, finding.words), finding)
    return tuple(kept.values())


def _carried(found: str, old: str, new: str) -> str | None:
    """Write a role the way the one that it replaces is written; None where that has no way."""
    for form in (str, str.upper, str.lower, _sentence_case, str.title):
        if found == form(old):
            return form(new)
    return None


def _sentence_case(name: str) -> str:
    return name[:1].upper() + name[1:].lower()


def _is_plural(name: str) -> bool:
    head = name.split()[-1].casefold()
    return head in words.IRREGULAR_PLURALS or (
        head.endswith("s") and not words.SINGULAR_IN_S.search(head)
    )


def _plurals(head: str) -> set[str]:
    """Plurals of a word, and its singular where it is a plural itself."""
    forms = {f"{head}s", f"{head}es"}
    if head.endswith("y"):
        forms.add(f"{head[:-1]}ies")
    if _is_plural(head):
        forms |= {words.IRREGULAR_PLURALS.get(head, head[:-1])}
    return forms | {many for many, one in words.IRREGULAR_PLURALS.items() if one == head}


class _Swap:
    """A text, its two roles, and the places where they are named."""

    def __init__(self, text: str, names: tuple[str, str]) -> None:
        self.text = text
        self.names = names
        self.heads = tuple(name.split()[-1].casefold() for name in names)

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Every place where a role is named as a whole word, longer names first."""
        order = sorted((0, 1), key=lambda role: -len(self.names[role]))
        parts = "|".join(rf"(?P<r{role}>{_spelled(self.names[role])})" for role in order)
        # Not inside a word, nor after a hyphen: sub-tenant is another word than tenant.
        pattern = re.compile(rf"(?<!\w)(?<!\w[{HYPHENS}])(?:{parts})(?!\w)", re.IGNORECASE)
        return tuple(
            Mention(0 if found["r0"] else 1, found.start(), found.end(), found[0])
            for found in pattern.finditer(self.text)
        )

    @property
    def counts(self) -> tuple[int, int]:
        """How often each role is named."""
        second = sum(mention.role for mention in self.mentions)
        return len(self.mentions) - second, second

    def apply(self) -> tuple[str, list[Finding]]:
        """Swap the roles; report the names whose spelling cannot be carried over."""
        parts, uneven, at = [], [], 0
        for mention in self.mentions:
            old, new = self.names[mention.role], self.names[1 - mention.role]
            written = _carried(mention.text, old, new)
            if written is None:
                why = "it is written in a way that the other role’s name cannot follow"
                uneven.append(Finding("spelling", mention.text, why, mention.start))
                written = new
            parts += [self.text[at : mention.start], written]
            at = mention.end
        return "".join([*parts, self.text[at:]]), uneven

    def obstacles(self) -> list[Finding]:
        """List everything that stands in the way."""
        return [
            *self._missing_roles(),
            *self._nested_names(),
            *self._hidden_characters(),
            *self._other_forms(),
            *self._compounds(),
            *self._articles(),
            *self._elisions(),
            *self._numbers(),
            *self._possessives(),
            *self._pronouns(),
            *self._other_names(),
            *self._longer_names(),
            *self._proper_names(),
            *self._addresses(),
        ]

    def notes(self) -> list[Finding]:
        """List what is worth a look."""
        return [*self._inside_words(), *self._lower_case(), *self._attributes()]

    @cached_property
    def _tokens(self) -> tuple[re.Match[str], ...]:
        """Words of the text that are no part of a role's name."""
        taken = {at for mention in self.mentions for at in range(mention.start, mention.end)}
        return tuple(t for t in WORD.finditer(self.text) if t.start() not in taken)

    def _before(self, mention: Mention, between: str = f"{QUOTES}([") -> re.Match[str] | None:
        """Return the word right before a mention, on the same line, past signs between them."""
        signs = rf"[{re.escape(between)}]*" if between else ""
        pattern = re.compile(rf"(?<!\w)([^\W\d_]+)[ \u00a0]{{1,9}}{signs}\Z")
        return pattern.search(self.text[: mention.start], max(0, mention.start - NEAR))

    def _missing_roles(self) -> Iterator[Finding]:
        for name, count in zip(self.names, self.counts, strict=True):
            if count == 0:
                yield Finding("role missing", name, "this role never occurs: nothing to mirror")

    def _nested_names(self) -> Iterator[Finding]:
        for inner, outer in (self.names, self.names[::-1]):
            if re.search(rf"(?<!\w){re.escape(inner)}(?!\w)", outer, re.IGNORECASE):
                why = f"it is a part of the other role’s name, “{outer}”: rename one of them"
                yield Finding("name in name", inner, why)

    def _hidden_characters(self) -> Iterator[Finding]:
        for at, sign in enumerate(self.text):
            if unicodedata.category(sign) in ("Cf", "Cc") and sign not in "\t\n\r":
                code = f"U+{ord(sign):04X}"
                yield Finding("hidden character", code, "it is not seen and can hide a role", at)
        for token in re.finditer(r"\w+", self.text):
            scripts = {_script(sign) for sign in token[0] if sign.isalpha()} - {""}
            if len(scripts) > 1:
                why = "it mixes alphabets, so it can look like a role and be none"
                yield Finding("look-alike letters", token[0], why, token.start())
        if unicodedata.normalize("NFC", self.text) != self.text:
            composed = _Swap(unicodedata.normalize("NFC", self.text), self.names)
            if composed.counts != self.counts:
                why = "a role is written with separate accents and is not found"
                yield Finding("spelling", "", why)

    def _other_forms(self) -> Iterator[Finding]:
        """Plurals, short forms and derived words, which a plain swap leaves behind."""
        shared = _shared_stem(*self.heads)
        for token in self._tokens:
            word = token[0].casefold()
            for name, head in zip(self.names, self.heads, strict=True):
                if word in _plurals(head):
                    why = f"another number of “{name}”, which a plain swap leaves behind"
                    yield Finding("plural", token[0], why, token.start())
                elif word == head and " " in name and not self._after_hyphen(token):
                    why = f"a part of “{name}” alone, which a plain swap leaves behind"
                    yield Finding("short form", token[0], why, token.start())
                elif _is_derived(word, head) or word in shared:
                    why = f"a form of “{name}”, which a plain swap leaves behind"
                    yield Finding("derived word", token[0], why, token.start())

    def _after_hyphen(self, token: re.Match[str]) -> bool:
        return self.text[max(token.start() - 1, 0)] in HYPHENS and token.start() > 0

    def _compounds(self) -> Iterator[Finding]:
        """Words such as ex-tenant, which speak of a role and are not swapped."""
        for head in self.heads:
            joined = re.compile(
                rf"(?<!\w)(\w+)[{HYPHENS}]?{re.escape(head)}s?(?!\w)", re.IGNORECASE
            )
            for found in joined.finditer(self.text):
                if found[1].casefold() in words.RELATED_PREFIXES:
                    why = "a compound with a role’s name, which a plain swap leaves behind"
                    yield Finding("compound", found[0], why, found.start())

    def _articles(self) -> Iterator[Finding]:
        if article(self.names[0]) == article(self.names[1]):
            return
        for mention in self.mentions:
            before = self._before(mention)
            if before and before[1].casefold() in ("a", "an"):
                found = self.text[before.start() : mention.end]
                other = self.names[1 - mention.role]
                why = f"the article does not fit “{other}”, so bytes outside the roles would differ"
                yield Finding("article", found, why, before.start())

    def _elisions(self) -> Iterator[Finding]:
        """French le and l', which follow the first letter of the name."""
        if len({name[:1].casefold() in VOWELS for name in self.names}) == 1:
            return
        for mention in self.mentions:
            found = ELIDED.search(self.text[: mention.start], max(0, mention.start - NEAR))
            if found:
                why = "the article follows the first letter of the name, which differs"
                quoted = self.text[found.start() : mention.end]
                yield Finding("article", quoted, why, found.start())

    def _numbers(self) -> Iterator[Finding]:
        """Words that agree with a role in number, where one role is plural and the other not."""
        if _is_plural(self.names[0]) == _is_plural(self.names[1]):
            return
        why = "it agrees with the role in number, and the roles differ in it"
        for mention in self.mentions:
            before = self._before(mention)
            if before and before[1].casefold() in words.ONE_ONLY | words.SEVERAL_ONLY:
                quoted = self.text[before.start() : mention.end]
                yield Finding("agreement", quoted, why, before.start())
            after = re.match(r"[ \u00a0]+([^\W\d_]+)", self.text[mention.end :])
            if after and after[1].casefold() in words.VERBS:
                quoted = self.text[mention.start : mention.end + after.end()]
                yield Finding("agreement", quoted, why, mention.start)
        for token in self._tokens:
            if token[0].casefold() in words.NEUTRAL_PRONOUNS:
                yield Finding("agreement", token[0], why, token.start())

    def _possessives(self) -> Iterator[Finding]:
        """Apostrophes after names in s, where only one role's name ends so."""
        if len({name[-1:].casefold() == "s" for name in self.names}) == 1:
            return
        for mention in self.mentions:
            after = re.match(r"['’]s?(?!\w)", self.text[mention.end :])
            if after:
                why = "the possessive is written differently after the other role’s name"
                yield Finding("possessive", mention.text + after[0], why, mention.start)

    def _pronouns(self) -> Iterator[Finding]:
        for token in self._tokens:
            word = token[0].casefold()
            if word in words.GENDERED_PRONOUNS:
                why = "it still points at a person of one gender after the swap"
                yield Finding("pronoun", token[0], why, token.start())
            elif word in words.GENDERED_WORDS and not _is_an_ordinary(token):
                why = "it speaks of one gender and stays with its party after the swap"
                yield Finding("gendered word", token[0], why, token.start())

    def _other_names(self) -> Iterator[Finding]:
        """Other names for a party, and words that tie a party to its side."""
        kins = [kin for kin in words.KINS if kin.names & set(self.heads)]
        names = {name for kin in kins for name in kin.names} - set(self.heads)
        ties = {word for kin in kins for word in kin.ties}
        for token in self._tokens:
            word = token[0].casefold()
            if word in ties:
                why = "a word of the relation that tells which party is which"
                yield Finding("derived word", token[0], why, token.start())
            elif word in names or any(word in _plurals(name) for name in names):
                why = "it may be another name of a party, which a plain swap leaves behind"
                yield Finding("another name", token[0], why, token.start())

    def _longer_names(self) -> Iterator[Finding]:
        """Roles inside longer names, such as Parent Company."""
        for mention in self.mentions:
            before = self._before(mention, between="")
            if before is None or not mention.text[:1].isupper():
                continue
            word = before[1]
            shouted = mention.text.isupper() and word.isupper() and len(word) > 1
            starts = BEGINS.search(self.text[max(0, before.start() - NEAR) : before.start()])
            ordinary = word.casefold() in words.NO_NAME_PARTS
            named = word[:1].isupper() and not ordinary and not shouted
            if named and (not starts or word.casefold() in words.MODIFIERS):
                name = self.text[before.start() : mention.end]
                why = f"“{mention.text}” also stands inside a longer name: say which one is meant"
                yield Finding("longer name", name, why, before.start())

    def _proper_names(self) -> Iterator[Finding]:
        """Names of real parties: with a company's ending, a title, beside a role, or defined."""
        # Bounded repeats: a hostile text must not take long.
        capital = r"(?<!\w)[A-ZÄÖÜÉ][\w&’'.-]{0,40}"
        name = rf"{capital}(?: {capital}){{0,6}}"
        either = "|".join(_spelled(role) for role in self.names)
        patterns = (
            rf"(?:{capital} ){{1,6}}(?:{words.COMPANY_ENDS})\b",
            rf"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? {name}",
            rf"(?:{name},? )?\([^()]{{0,40}}[{QUOTES}](?:{either})[{QUOTES}]",
            rf"\b(?:{either}), {capital} {name}(?=[,.;)])",
            rf"{capital} {name}, (?:the|as|being) (?:{either})(?!\w)",
        )
        for pattern in patterns:
            for found in re.finditer(pattern, self.text):
                why = "a proper name, or a definition, ties one party to its role after the swap"
                yield Finding("proper name", found[0].strip(), why, found.start())

    def _addresses(self) -> Iterator[Finding]:
        patterns = (
            rf"(?<!\w)\d{{1,6}}[a-z]?,? (?:[A-Z][\w’'-]{{0,40}}\.? ){{1,5}}(?:{words.STREETS})\b",
            r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{0,64}\w",
            r"(?:https?://|www\.)\S{0,200}\w",
            r"(?<![\d(])\+?\d[\d ()/-]{8,20}\d(?!\w)",
        )
        for pattern in patterns:
            for found in re.finditer(pattern, self.text):
                why = "an address or number belongs to one party and stays after the swap"
                yield Finding("address", found[0], why, found.start())

    def _inside_words(self) -> Iterator[Finding]:
        for token in self._tokens:
            word = token[0].casefold()
            for name, head in zip(self.names, self.heads, strict=True):
                if len(word) > len(head) > 2 and head in word and not _is_derived(word, head):
                    if word in _plurals(head):
                        continue
                    why = f"it holds “{name}” but is another word, and stays as it is"
                    yield Finding("inside a word", token[0], why, token.start())

    def _lower_case(self) -> Iterator[Finding]:
        """Lower-case mentions beside capitalised ones, which may be ordinary words."""
        for mention in self.mentions:
            if self.names[mention.role][:1].isupper() and mention.text[:1].islower():
                why = "written small, unlike the role: an ordinary word, perhaps"
                yield Finding("capitals", mention.text, why, mention.start)

    def _attributes(self) -> Iterator[Finding]:
        """Roles before another capitalised word, such as Customer Data: a defined term changes."""
        for mention in self.mentions:
            after = re.match(r" ([A-Z][a-z]\w*)", self.text[mention.end :])
            if after and after[1].casefold() not in words.NO_NAME_PARTS:
                quoted = self.text[mention.start : mention.end + after.end()]
                why = "a defined term that changes with the role"
                yield Finding("defined term", quoted, why, mention.start)


def _spelled(name: str) -> str:
    """Pattern of a name whose words may be apart by any space."""
    return r"\s+".join(re.escape(part) for part in name.split())


def _is_derived(word: str, head: str) -> bool:
    """Say whether a word is another form of a role's last word, its plurals aside."""
    if word in {f"{head}{suffix}" for suffix in words.SUFFIXES} - _plurals(head):
        return True
    # Tenant and tenancy, agent and agency.
    return head.endswith(("ant", "ent")) and word in {f"{head[:-1]}cy", f"{head[:-1]}cies"}


def _shared_stem(one: str, other: str) -> set[str]:
    """Forms of a verb that both roles are made from, such as employ for employer and employee."""
    if one[:-2] != other[:-2] or len(one) < 6 or one[-2:] == other[-2:]:
        return set()
    stem = one[:-2]
    return {f"{stem}{end}" for end in ("s", "ed", "ing", "ment", "ments", "able")}


def _script(sign: str) -> str:
    name = unicodedata.name(sign, "")
    return next((s for s in ("LATIN", "CYRILLIC", "GREEK") if name.startswith(s)), "")


def _is_an_ordinary(token: re.Match[str]) -> bool:
    """Say whether a gendered word is an abbreviation of something else, such as MS or MISS."""
    return token[0].isupper() and len(token[0]) > 1 and token[0].casefold() in ("ms", "miss", "sir")
