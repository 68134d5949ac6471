"""Pieces of the remedies build, run without compiling them; searches are left out."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

numba = pytest.importorskip("numba", reason="needs requirements-build.txt")
numba.config.DISABLE_JIT = True

from core.figures import figures  # noqa: E402
from core.stats.clusters import resampled_means  # noqa: E402
from core.stats.disparity import two_way  # noqa: E402
from core.studies.remedies.choices import DECLARATION, sampling  # noqa: E402
from data.build.remedies import (  # noqa: E402
    again,
    anneal,
    attributes,
    audit,
    coupling,
    edits,
    gpt,
    gpt_ends,
    jev_ends,
    jev_features,
    jev_model,
    numbers,
    pinned,
    resampled,
)
from data.build.remedies.choose import choose  # noqa: E402
from data.build.remedies.pins import Targets  # noqa: E402
from data.build.remedies.reference import GUISES, HOLDOUT, PERSONAS, SIGNS  # noqa: E402

RNG = np.random.default_rng


def printed(name: str) -> float:
    return figures("remedies")[f"remedies.{name}"].value


def test_contrasts_compare_levels_of_equal_size() -> None:
    assert SIGNS.sum(1).tolist() == [0, 0, 0]
    assert np.abs(SIGNS).sum(1).tolist() == [36, 36, 24]
    old_college_high = PERSONAS.index(("old", "rural", "college", "high"))
    assert SIGNS[:, old_college_high].tolist() == [1, 1, 1]


def mean_squares(y: np.ndarray) -> dict[str, float]:
    """Mean squares of a C x K x B x O layout from its effects, as NOTES 3.10 defines them."""
    axes = dict(zip("CKBO", range(4), strict=True))
    found = {}
    for size in range(1, 5):
        for term in map("".join, combinations("CKBO", size)):
            effect = np.zeros_like(y)
            for inner in range(size + 1):
                for part in combinations(term, inner):
                    out = tuple(a for f, a in axes.items() if f not in part)
                    mean = y.mean(axis=out, keepdims=True)
                    effect = effect + (-1) ** (size - inner) * mean
            freedom = np.prod([y.shape[axes[f]] - 1 for f in term])
            found[term] = float((effect**2).sum() / freedom)
    return found


def test_components_are_those_written_out_in_the_notes() -> None:
    y = RNG(1).normal(size=(4, 3, 2, 3)) + RNG(2).normal(size=(4, 1, 1, 1))
    squares = np.zeros(16)
    for term in range(16):
        out = tuple(a for a in range(4) if not term & (1 << a))
        squares[term] = (y.sum(axis=out) ** 2).sum()
    found = numbers.components(squares, np.array(y.shape, dtype=float))
    m = mean_squares(y)
    n_c, n_k, n_b, n_o = y.shape
    c, k, b, o = numbers.COMPLAINT, numbers.PERSONA, numbers.BANK, numbers.ORDER
    assert found[c + k + b + o] == pytest.approx(m["CKBO"])
    assert found[c + k + b] == pytest.approx((m["CKB"] - m["CKBO"]) / n_o)
    assert found[c + k] == pytest.approx((m["CK"] - m["CKB"] - m["CKO"] + m["CKBO"]) / (n_b * n_o))
    assert found[k + o] == pytest.approx((m["KO"] - m["CKO"] - m["KBO"] + m["CKBO"]) / (n_c * n_b))
    assert found[c] == pytest.approx(
        (m["C"] - m["CK"] - m["CB"] - m["CO"] + m["CKB"] + m["CKO"] + m["CBO"] - m["CKBO"])
        / (n_k * n_b * n_o)
    )


def test_disparity_is_that_of_the_notes() -> None:
    y = RNG(3).normal(size=(30, GUISES)) + RNG(4).normal(size=(30, 1))
    y = y + 0.8 * RNG(5).normal(size=GUISES)
    r, m, g = y.mean(1), y.mean(0), y.mean()
    noise = ((y - r[:, None] - m + g) ** 2).sum() / (29 * 35)
    persona = ((m - g) ** 2).sum() / 35 - noise / 30
    complaint = ((r - g) ** 2).sum() / 29 - noise / 36
    found, share = numbers.disparity((y**2).sum(), (y.sum(1) ** 2).sum(), y.sum(0), 30)
    assert found == pytest.approx(np.sqrt(persona / complaint))
    assert share == pytest.approx(noise / (persona + complaint + noise))


def test_features_of_tiers_are_those_of_brute_force() -> None:
    row = RNG(6).integers(0, 3, GUISES).astype(np.int8)
    out = np.zeros(gpt.FEATURES)
    gpt.features(row, np.zeros(1), np.zeros(1), out)
    pairs = list(combinations(row.astype(int), 2))
    assert out[gpt.DISAGREE] == sum((a == 2) != (b == 2) for a, b in pairs)
    assert out[gpt.MPAD] == sum(abs(a - b) for a, b in pairs)
    ses = [p[3] for p in PERSONAS]
    high, low = (np.mean(row[[s == level for s in ses]]) for level in ("high", "low"))
    assert out[gpt.TIER_GAP + 2] == pytest.approx(high - low)


def test_features_of_probabilities_are_those_of_brute_force() -> None:
    rng = RNG(7)
    p = rng.multinomial(100, [0.5, 0.3, 0.2], (GUISES, 2, 6))
    row = p[..., 1:].astype(np.int16)
    fixed = np.zeros(jev_features.FIXED)
    for b, rule in product(range(2), (jev_features.THRESHOLD, jev_features.UNTIED)):
        fixed[(b * jev_features.RULES + rule) * 2 :][:2] = (20, 17 if rule == 1 else 99)
    places = np.arange(GUISES)
    out = np.zeros(jev_features.FEATURES)
    jev_features.features(row, places, fixed, out)
    one, other = p[:, 0, 0], p[:, 1, 0]
    assert out[jev_features.SAME] == np.abs(one - other).sum()
    every = np.abs(one[:, None] - other[None]).sum()
    assert out[jev_features.OTHER] == every - np.abs(one - other).sum()
    tiers = p.argmax(-1)
    assert out[jev_features.AGREE] == (tiers == tiers[..., :1]).all(-1).sum()
    first = jev_features.BY_BANK + jev_features.OF_RULE
    size = jev_features.RULE_SIZE
    m = (one[:, 2] > 20) | (one[:, 2] == 20) & (places <= 17)
    assert out[first + jev_features.THRESHOLD * size] == m.sum()
    assert out[first + jev_features.UNTIED * size] == (one[:, 2] >= 20).sum()
    votes = (tiers[:, 0] == 2).sum(-1)
    assert out[first + jev_features.MAJORITY * size] == (votes >= 4).sum()
    level = one[:, 1] + 2 * one[:, 2]
    assert out[jev_features.SPREAD] == sum(abs(a - b) for a, b in combinations(level.tolist(), 2))


def test_hundredths_add_up_and_are_near() -> None:
    first, second = RNG(8).normal(size=(2, 500)) * 2
    found = jev_model.hundredths(first, second)
    e = np.exp(np.stack([np.zeros(500), first, second], -1))
    exact = 100 * e / e.sum(-1, keepdims=True)
    whole = np.concatenate([100 - found.sum(-1, keepdims=True), found], -1)
    assert (np.abs(whole - exact) < 1).all()
    assert (whole >= 0).all()


@pytest.mark.parametrize(("model", "name"), [(0, "gpt4o"), (1, "gpt5")])
def test_tables_of_edits_give_the_printed_effects(model: int, name: str) -> None:
    guises = RNG(9).integers(0, 3, (edits.EDITED, GUISES)).astype(np.int8)
    y = edits.gpt_tiers(model, guises, RNG(10)).astype(int)
    step = y - y[:, :1]
    for edit, at in (("strengthen", edits.STRENGTHEN), ("weaken", edits.WEAKEN)):
        assert step[:, at].mean() == pytest.approx(printed(f"table3.{edit}.{name}"), abs=0.00501)
    up = 100 * (step[:, edits.STRENGTHEN] > 0).mean()
    assert up == pytest.approx(printed(f"table3.moved_up.{name}"), abs=0.01)
    paid = y == 2
    harm = paid[:, edits.HARM].mean() - paid[:, edits.ORIGINAL].mean()
    end = ("min", "max")[model]
    assert harm == pytest.approx(printed(f"sec4_6.harm.gpt.{end}"))
    if model == 0:
        span = 100 * (paid[:, edits.STRENGTHEN].mean() - paid[:, edits.WEAKEN].mean())
        assert span == pytest.approx(printed("table1.fact_span.gpt_label"))
    else:
        span = (y[:, edits.STRENGTHEN] - y[:, edits.WEAKEN]).mean()
        assert round(span / (gpt.LARGEST_GAP_SUM / 18000)) == printed("sec4_6.pc4.gpt5")


def test_counts_of_flags_give_the_printed_rates() -> None:
    claude, other, both = np.array(audit.FLAGGED)
    share = np.array([0.854, 0.146]) / (audit.SAMPLED * GUISES)
    rates = {"claude": claude, "gpt52": other, "both": both, "either": claude + other - both}
    for who, counts in rates.items():
        assert round(100 * float(share @ counts), 1) == printed(f"sec4_8.fa2.{who}")
    for name, counts in (("dollar", audit.AMOUNTS), ("year", audit.YEARS)):
        assert round(100 * float(share @ np.array(counts)), 1) == printed(f"sec4_8.fa2.{name}")
    n, x, y, z = 1440, claude.sum(), other.sum(), both.sum()
    agree = (n - (x - z) - (y - z)) / n
    chance = x * y / n**2 + (n - x) * (n - y) / n**2
    assert round(100 * agree, 1) == printed("sec4_8.fa6.agreement")
    assert round((agree - chance) / (1 - chance), 2) == printed("sec4_8.fa6.kappa_guises")
    levels = audit.BY_LEVEL
    assert levels["old"] + levels["young"] == levels["college"] + levels["high_school"] == 256
    assert sum(audit.BY_SES) == 256


def test_patterns_of_edits_give_the_printed_kappa() -> None:
    pairs = audit.pattern(audit.EDITED_TEXTS, audit.EDIT_FLAGS, RNG(11))
    assert pairs.sum(0).tolist() == [printed("sec4_8.fa1.claude"), printed("sec4_8.fa1.gpt52")]
    assert round(audit.kappa(pairs, 2), 2) == printed("appd.kappa.edits")


def test_kappa_by_hand() -> None:
    # 3 of 4 agree; chance is .5 * .25 + .5 * .75.
    assert audit.kappa(np.array([[0, 0], [0, 0], [1, 1], [1, 0]]), 2) == pytest.approx(0.5)


def test_distance_by_hand() -> None:
    one, other = np.array([[30, 10]]), np.array([[20, 15]])
    assert again.distance(one, other).tolist() == [0.1]


def test_features_of_fresh_decisions_are_those_of_brute_force() -> None:
    old, new = RNG(12).integers(0, 3, (2, GUISES, again.ARMS))
    out = np.zeros(again.FRESH_FEATURES)
    again.fresh_features(new, old, np.zeros(1), out)
    assert out[: again.ARMS].tolist() == (old != new).sum(0).tolist()
    assert out[again.MOVED] == pytest.approx(new[:, 0].mean() - old[:, 0].mean())
    for i, signs in enumerate(SIGNS):
        gaps = new[signs > 0].mean(0) - new[signs < 0].mean(0)
        assert out[again.REDUCED + i] == pytest.approx(gaps[0] - gaps[1])


def test_quantiles_are_those_of_numpy() -> None:
    for size, share in product((1, 2, 7, 300), (0.0, 0.025, 0.5, 0.95, 1.0)):
        x = RNG(22).integers(0, 50, size).astype(float)
        assert resampled.quantile(x.copy(), share) == pytest.approx(np.quantile(x, share))


def test_disparity_in_resamples_is_that_of_the_app() -> None:
    size = 12
    y = RNG(23).normal(size=(size, GUISES)) + RNG(24).normal(size=(size, 1))
    counts = resampled.weights(size)
    kept = np.concatenate([y, (y**2).sum(1)[:, None], (y.sum(1) ** 2)[:, None]], 1)
    out = np.zeros((2, counts.shape[1]))
    copies = (counts**2).sum(0)
    jev_ends.disparities(kept.T @ counts, 0, -1, GUISES, copies, size, out)
    layout, drawn = two_way(y), sampling(DECLARATION.planned)
    for found, corrected in zip(out, (False, True), strict=True):
        assert found == pytest.approx(layout.resampled(*drawn, corrected=corrected).disparity)


def test_a_search_with_resamples_reaches_the_ends_that_the_app_finds() -> None:
    steps = RNG(25)

    def features(row, aux, fixed, out):
        out[0] = row[0]

    def measure(sums, fixed, out):
        out[0] = sums[0, 0]

    def propose(row, new):
        new[:] = row + int(steps.integers(2)) * 2 - 1
        return True

    def derive(totals, group, fixed, out):
        out[0] = totals[0] / 6
        return out.shape[1]

    search = resampled.annealer(features, measure, resampled.one_complaint(propose), derive)
    state, counts = np.zeros((6, 1), dtype=np.int64), resampled.weights(6)
    low, high = np.array([[-4.0, 2.0]]), np.array([[-2.0, 4.0]])
    ends = (np.array([0]), np.array([0, 1]), np.array([0.025]), low, high, np.ones((1, 2)))
    rest = (np.ones((1, 1), dtype=np.bool_), counts, 400, 0.5, 0.01, 1)
    window = (np.full(1, -6.0), np.full(1, 6.0), np.ones(1))
    blocks = np.ones(6, dtype=np.int64)
    loss, reached = search(state, np.zeros((6, 1)), np.zeros(1), blocks, 1, *window, *ends, *rest)
    assert loss == 0
    values = state.T.astype(float)
    found = resampled_means(values, *sampling(DECLARATION.planned)).interval(0.95)[0]
    assert reached[0] == pytest.approx(found)
    assert low[0, 0] <= found[0] <= high[0, 0]
    assert low[0, 1] <= found[1] <= high[0, 1]


def test_a_smoothing_move_comes_closer_to_guise_and_order() -> None:
    p = RNG(26).multinomial(100, [0.4, 0.3, 0.3], (GUISES, 2, 6))
    row, new = p[..., 1:].astype(np.int16), np.zeros((GUISES, 2, 6, 2), dtype=np.int16)
    moved = [jev_features.smooth(row, new) and (new.copy(), new != row) for _ in range(20)]
    assert any(moved)
    for after, changed in filter(None, moved):
        (k,), (b,), (o,) = (np.unique(at) for at in np.nonzero(changed)[:3])
        p2 = row[:, b, :, 1].astype(float)
        aim = p2[k].mean() + p2[:, o].mean() - p2.mean()
        assert abs(aim - after[k, b, o, 1]) < abs(aim - p2[k, o])
        assert (after >= 0).all()
        assert (after.sum(-1) <= 100).all()


def test_flags_move_between_complaints_of_a_stratum_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "COUNT_TRIES", 30)
    counts = audit.counts_of((0.854, 0.146), RNG(27))
    by_stratum = counts.reshape(2, audit.SAMPLED, 3).sum(1)
    assert by_stratum.T.tolist() == [list(pair) for pair in audit.FLAGGED]
    assert (counts[:, 2] <= counts[:, :2].min(1)).all()


def test_an_exchange_moves_whole_rows_between_two_complaints() -> None:
    def never(row, new):
        raise AssertionError

    move = resampled.or_exchange(never, 1.0)
    state = np.arange(12).reshape(6, 2)
    picked, new = np.zeros(2, dtype=np.int64), np.zeros((2, 2), dtype=np.int64)
    changed = {move(state, np.zeros(1), picked, new) and tuple(picked) for _ in range(40)} - {0}
    assert changed
    assert all(c != d for c, d in changed)
    while move(state, np.zeros(1), picked, new) == 0:
        pass
    assert new.tolist() == state[picked[::-1]].tolist()


def test_settled_windows_hold_what_was_reached_and_are_no_narrower() -> None:
    low, high = np.array([[0.0, 2.0]]), np.array([[1.0, 3.0]])
    reached = np.array([[-0.5, 2.5]])
    _, wider_low, wider_high, _ = resampled.settled((np.zeros(1), low, high, low), reached)
    assert wider_low.tolist() == [[-0.5, 2.0]]
    assert wider_high.tolist() == [[1.0, 3.0]]


def test_moves_of_the_audit_keep_totals_and_the_order_of_complaints() -> None:
    rng = RNG(29)
    known = rng.integers(0, 3, (HOLDOUT, audit.ROW - audit.TIER))
    known[:, -2] = np.arange(HOLDOUT) % 2
    known[:, -1] = np.arange(HOLDOUT)
    fixed = np.concatenate([[0.854, 0.146], known.ravel()])
    members = np.concatenate([np.arange(0, 800, 40), np.arange(1, 800, 40)])
    flags = rng.random((audit.COMPLAINTS, audit.TIER)) < 0.15
    state = np.concatenate([flags, known[members]], axis=1).astype(np.int64)
    before = state.copy()
    picked, new = np.zeros(2, dtype=np.int64), np.zeros_like(state[:2])
    for _ in range(400):
        for i in range(audit.move(state, fixed, picked, new)):
            state[picked[i]] = new[i]

    def totals(rows: np.ndarray) -> list[list[int]]:
        one, other = rows[:, :GUISES], rows[:, GUISES : audit.TIER]
        by = np.stack([one.sum(1), other.sum(1), (one * other).sum(1)], 1)
        return by.reshape(2, audit.SAMPLED, 3).sum(1).tolist()

    assert (state != before).any()
    assert totals(state) == totals(before)
    places = state[:, audit.PLACE].reshape(2, audit.SAMPLED)
    assert (np.diff(places, axis=1) > 0).all()
    assert (places % 2 == [[0], [1]]).all()
    assert (state[:, audit.TIER :] == known[state[:, audit.PLACE]]).all()


def test_draws_of_a_gpt_model_less_jev_are_those_of_the_app() -> None:
    drawn, size = sampling(DECLARATION.planned), 10
    paid, jev = RNG(30).random((2, size, GUISES)) < RNG(31).random((2, size, 1))
    kept = np.concatenate([paid, paid.sum(1)[:, None], (paid.sum(1) ** 2)[:, None]], 1)
    fixed = gpt_ends.constants(jev)
    out = np.zeros((2, drawn[0]))
    gpt_ends.derive(kept.T.astype(float) @ resampled.weights(size), 0, fixed, out)
    for found, corrected in zip(out, (False, True), strict=True):
        one, other = (
            two_way(y.astype(float)).resampled(*drawn, corrected=corrected).disparity
            for y in (paid, jev)
        )
        assert found == pytest.approx(one - other, abs=1e-6)


def test_coupling_exchanges_complaints_within_their_blocks_only() -> None:
    tiers = RNG(14).integers(0, 3, (HOLDOUT, GUISES)).astype(np.int8)
    severity = RNG(15).random(HOLDOUT)
    paid = RNG(16).random((HOLDOUT, GUISES)) < severity[:, None]
    found = coupling.couple(tiers, severity, paid, "sec4_3.diff.gpt4o_minus_threshold", 3)
    for low, high in coupling.BLOCKS:
        assert sorted(map(tuple, found[low:high])) == sorted(map(tuple, tiers[low:high]))


def test_sizes_of_persona_parts_give_both_printed_shares() -> None:
    a, b = attributes.scales("chronology")
    half = HOLDOUT // 2
    part = attributes.persona_part("chronology")
    noise = RNG(17).normal(size=(HOLDOUT, GUISES))
    noise = attributes.without_guises(attributes.within(noise))
    noise = noise / noise.std()
    x = noise + np.repeat([a, b], half)[:, None] * part
    for rows, name in (
        (x[:half], "appd.mh4.eta2.chronology.m0"),
        (x, "sec4_5.ha1.eta2.chronology"),
    ):
        share = len(rows) * (rows.mean(0) ** 2).sum() / (rows**2).sum()
        assert share == pytest.approx(printed(name), abs=0.005)


def test_parts_of_a_gap_add_up_to_what_the_attributes_explain() -> None:
    y = RNG(18).normal(size=(HOLDOUT, GUISES)) + 0.1 * SIGNS[1]
    x = RNG(19).normal(size=(HOLDOUT, GUISES, 3)) + 0.3 * SIGNS[1][:, None]
    x = x - x.mean(1, keepdims=True)
    gap, parts = attributes.gelbach(y, x.reshape(-1, 3), 1)
    z = attributes.within_dummies(1)
    full = np.concatenate([z, x.reshape(-1, 3)], 1)
    left = np.linalg.lstsq(full, attributes.within(y).ravel(), rcond=None)[0][0]
    assert gap - left == pytest.approx(parts.sum())
    assert gap == pytest.approx(y[:, SIGNS[1] > 0].mean() - y[:, SIGNS[1] < 0].mean())


def test_a_search_keeps_its_sums_and_lowers_its_loss() -> None:
    draws = RNG(21)

    def features(row, aux, fixed, out):
        out[0] = row.sum()

    def measure(sums, fixed, out):
        out[0] = sums[0, 0]

    def propose(row, new):
        new[:] = row
        new[int(draws.integers(3))] += int(draws.integers(2)) * 2 - 1
        return True

    total, search = anneal.annealer(features, measure, propose)
    state = np.zeros((5, 3), dtype=np.int64)
    blocks = np.ones(5, dtype=np.int64)
    aim = Targets(1)
    aim.free(0, 12, 12, 1.0)
    rest = (state, np.zeros((5, 1)), np.zeros(1), blocks, 1)
    loss = search(*rest, aim.low, aim.high, aim.unit, 4000, 1.0, 1e-3, 1)
    assert loss == 0
    assert total(*rest)[0, 0] == state.sum() == 12


def test_choice_stays_in_its_groups() -> None:
    values = np.arange(40.0)[:, None]
    aim = Targets(1)
    aim.free(0, 99.5, 100.5, 1.0)
    groups = [(np.arange(20), 3), (np.arange(20, 40), 3)]
    members, loss = choose(values, groups, lambda s: s.sum(0), aim, RNG(20))
    assert loss == 0
    assert members.sum() == 100
    assert (np.sort(members)[:3] < 20).all()
    assert (np.sort(members)[3:] >= 20).all()


def test_windows_lie_within_what_prints_as_given() -> None:
    aim = Targets(3)
    aim.value(0, "table1.rate.gpt_label.gpt4o_bank", 0.01)
    assert f"{100 * aim.low[0]:.1f}" == f"{100 * aim.high[0]:.1f}" == "8.6"
    aim.ends(1, "table1.differ.gpt_label.gpt4o_bank", 0.01)
    assert aim.low[1] < 0.031 < aim.high[1]
    assert aim.low[2] < 0.044 < aim.high[2]
    assert aim.misses(np.array([0.086, 0.031, 0.044])) == {}


@pytest.mark.parametrize("table", list(pinned.PINNED))
def test_every_pin_is_a_printed_figure_that_rests_on_rows(table: str) -> None:
    found = pinned.pins(table)
    assert found
    assert len({pin.figure_id for pin in found}) == len(found)
    known = figures("remedies")
    assert {known[pin.figure_id].basis for pin in found} <= {"rows", "recomputable", "bound"}
