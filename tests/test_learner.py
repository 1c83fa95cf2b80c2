"""Promises of the learner skin and of its Gymnasium and Stable-Baselines3 forms."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as check_gymnasium
from gymnasium.vector import AutoresetMode
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env as check_sb3
from stable_baselines3.common.vec_env import VecCheckNan, VecMonitor, VecNormalize

import agents
from cardenv import games
from cardenv.envs.gymnasium import LearnerEnv, LearnerVectorEnv
from cardenv.envs.learner import LearnerTables
from cardenv.envs.registration import gymnasium_id
from cardenv.envs.sb3 import LearnerVecEnv
from cardenv.players import PlayerError
from cardenv.rules import RulesError
from cardenv.table import IllegalAction, Tables
from tests.cases import (
    GAMES,
    PAYMENTS,
    every_game,
    opponents_of,
    players_of,
    short_rules,
    spread,
    strongest,
)
from tests.particulars import PARTICULARS


def make(game, **settings):
    """Build the single environment by its id."""
    settings = {"opponents": opponents_of(game, 3), **settings}
    return gymnasium.make(gymnasium_id(games.get(game)), **settings)


def make_many(game, count, **settings):
    """Build the vector environment by its id."""
    return gymnasium.make_vec(
        gymnasium_id(games.get(game)),
        num_envs=count,
        vectorization_mode="vector_entry_point",
        **{"opponents": opponents_of(game, 3), **settings},
    )


def random_actions(masks, generator):
    """Return a random legal action a row."""
    return (generator.random(masks.shape) * masks).argmax(axis=1)


def play(learner, steps, seed=0):
    """Play random actions; yield what each step gave, resetting where an episode ended."""
    generator = np.random.default_rng(seed)
    for _ in range(steps):
        rewards = learner.step(random_actions(learner.masks, generator))
        yield rewards
        ended = np.flatnonzero(learner.ended)
        if ended.size:
            learner.reset(ended)


# --- From decision to decision --------------------------------------------------------------------


@spread("players", payment=PAYMENTS)
def test_step_rewards_sum_to_the_score_of_the_episode(game, players, payment):
    episode, reward = payment
    rules = short_rules(game, reward=reward)
    learner = LearnerTables(game, ["random"] * (players - 1), 64, episode=episode, rules=rules)
    learner.reset(seed=players)
    sums, finished, seats = np.zeros(64), 0, set()
    generator = np.random.default_rng(players)
    for _ in range(150):
        sums += learner.step(random_actions(learner.masks, generator))
        for table in np.flatnonzero(learner.ended):
            seat = learner.seats[table]
            assert sums[table] == pytest.approx(learner.tables.score[table, seat], abs=1e-12)
            seats.add(int(seat))
            finished += 1
        ended = np.flatnonzero(learner.ended)
        if ended.size:
            learner.reset(ended)
            sums[ended] = 0
    assert finished > 100
    assert seats == set(range(players))


@every_game
def test_every_observation_is_the_learners_own_at_its_own_decision(game):
    learner = LearnerTables(game, opponents_of(game, 3), 32, episode="match")
    learner.reset(seed=3)
    for _ in play(learner, 60):
        live = np.flatnonzero(~learner.ended)
        tables = learner.tables
        assert (tables.turn[live] == learner.seats[live]).all()
        expected = tables.layout.scaled(tables.observe(learner.seats[live], live))
        assert np.array_equal(learner.observations[live], expected)
        assert np.array_equal(learner.masks[live], tables.masks[live])


@pytest.mark.parametrize(
    ("game", "players"),
    [(game, players) for game in GAMES for players in PARTICULARS[game].SKIPPED],
)
def test_rounds_that_end_before_the_learner_acts_are_skipped_and_counted(game, players):
    learner = LearnerTables(game, ["greedy"] * (players - 1), 2000, episode="round")
    learner.reset(seed=1)
    skipped = int(learner.skipped_rounds.sum())
    low, high = PARTICULARS[game].SKIPPED[players]
    assert low <= skipped <= high
    assert (learner.skipped_score[learner.skipped_rounds == 0] == 0).all()
    assert (~learner.ended).all()


@every_game
def test_skipped_scores_and_step_rewards_together_are_all_scores(game):
    """Nothing is lost: over many rounds the scores played through belong to the average too."""
    opponents = ["random"] * (players_of(game)[2] - 1)
    learner = LearnerTables(game, opponents, 512, episode="round", learner_seat=0)
    learner.reset(seed=5)
    total = learner.skipped_score.sum()
    for rewards in play(learner, 40):
        total += rewards.sum()
    # The learner plays as its opponents do, so its mean score over all rounds is near zero.
    assert abs(total) / (512 * 10) < 0.1


@spread(seat=(0, 2))
def test_the_learners_seat_can_be_fixed(game, seat):
    learner = LearnerTables(game, ["random"] * 3, 50, learner_seat=seat)
    learner.reset(seed=1)
    assert (learner.seats == seat).all()


@every_game
def test_skip_forced_asks_only_where_there_is_a_choice(game):
    choices = {}
    for skip_forced in (False, True):
        learner = LearnerTables(game, ["random"] * 2, 64, rules="letter", skip_forced=skip_forced)
        learner.reset(seed=1)
        choices[skip_forced] = [
            learner.masks[~learner.ended].sum(axis=1).min() for _ in play(learner, 50)
        ]
    assert min(choices[True]) > 1
    assert (min(choices[False]) == 1) == PARTICULARS[game].FORCED


def named(game, name):
    """Return a random player that goes by another name."""
    player = agents.load("random", game)
    player.name = name
    return player


@every_game
def test_opponents_are_drawn_by_their_weights_anew_each_episode(game):
    often, seldom, third = (named(game, name) for name in ("often", "seldom", "third"))
    learner = LearnerTables(game, [{often: 3, seldom: 1}, third, "random"], 4000)

    def names_drawn():
        playing = learner._playing[np.arange(4000), (learner.seats + 1) % 4]
        return np.array([player.name for player in learner._players])[playing]

    learner.reset(seed=1)
    before = names_drawn()
    assert 0.72 < (before == "often").mean() < 0.78
    assert set(before) == {"often", "seldom"}
    learner.reset()
    assert (names_drawn() != before).any()


@every_game
def test_new_weights_hold_from_the_next_episode_on(game):
    one, other = (named(game, name) for name in ("one", "other"))
    learner = LearnerTables(game, [{one: 1, other: 0}] * 3, 300, episode="round")
    learner.reset(seed=1)
    assert learner.players == (one, other)

    def sitting():
        playing = learner.playing
        assert (playing[np.arange(300), learner.seats] == -1).all()
        opponents = np.arange(4) != learner.seats[:, None]
        assert (playing[opponents] >= 0).all()
        return playing[opponents]

    learner.weigh([{one: 0, other: 1}] * 3)
    assert (sitting() == 0).all()
    learner.reset(np.arange(100))
    assert (sitting().reshape(300, 3)[:100] == 1).all()
    assert (sitting().reshape(300, 3)[100:] == 0).all()
    with pytest.raises(PlayerError, match="2 opponents were given for 3 seats"):
        learner.weigh([one] * 2)


@every_game
def test_a_table_plays_the_same_alone_and_in_any_batch(game):
    seeds = [11, 12, 13]
    batch = LearnerTables(game, opponents_of(game, 3), 3)
    batch.reset(seed=seeds)
    alone = [LearnerTables(game, opponents_of(game, 3), 1) for _ in seeds]
    for each, seed in zip(alone, seeds, strict=True):
        each.reset(seed=seed)
    for _ in range(30):
        together = batch.observations
        assert np.array_equal(together, np.concatenate([each.observations for each in alone]))
        actions = batch.masks.argmax(axis=1)
        rewards = batch.step(actions)
        for place, each in enumerate(alone):
            assert each.step(actions[place : place + 1])[0] == rewards[place]
            if each.ended[0]:
                each.reset()
        ended = np.flatnonzero(batch.ended)
        if ended.size:
            batch.reset(ended)


@every_game
def test_learner_skin_and_bare_tables_play_the_same_games(game):
    """The same seed and actions give the same rows, whoever carries the actions out."""
    name = strongest(game)
    learner = LearnerTables(game, [name] * 3, 20, episode="match", learner_seat=1)
    learner.reset(seed=9)
    bare = Tables(game, 20, 4, episode="match")
    bare.seed(9)
    bare.reset()
    player = agents.load(name, game)
    for _ in range(40):
        while (at := np.flatnonzero((bare.turn >= 0) & (bare.turn != 1) & _in(bare, 1))).size:
            bare.step(player.act(bare.observations[at], bare.masks[at], bare.play_keys(at)), at)
        live = np.flatnonzero(~learner.ended)
        assert (bare.rows[live] == learner.tables.rows[live]).all()
        if not live.size:
            break
        actions = learner.masks[live].argmax(axis=1)
        learner.step(actions, live)
        bare.step(actions, live)


def _in(tables, seat):
    return (tables.rows["left"] >> np.uint64(seat)) & np.uint64(1) == 0


@every_game
def test_state_dict_goes_on_exactly(game):
    opponents = [strongest(game), {"random": 1, strongest(game): 1}]
    one = LearnerTables(game, opponents, 16, episode="match")
    one.reset(seed=4)
    for _ in play(one, 7):
        pass
    other = LearnerTables(game, opponents, 16, episode="match")
    other.load_state_dict(one.state_dict())
    for a, b in zip(play(one, 60, 2), play(other, 60, 2), strict=True):
        assert np.array_equal(a, b)
    assert np.array_equal(one.observations, other.observations)


@every_game
def test_a_forfeit_sums_to_zero_also_once_somebody_is_out(game):
    tables = Tables(game, 300, 4, rules=short_rules(game), episode="match", illegal="lose")
    tables.reset(seed=1)
    generator = np.random.default_rng(1)
    left = np.zeros(300, int)
    for _ in range(400):
        live = np.flatnonzero(tables.turn >= 0)
        left[live] = np.bitwise_count(tables.rows["left"][live])
        actions = random_actions(tables.masks[live], generator)
        actions[generator.random(live.size) < 0.02] = 63
        tables.step(actions, live)
    assert (tables.turn < 0).all()
    assert np.abs(tables.score.sum(axis=1)).max() < 1e-12
    forfeited = tables.score.min(axis=1) == -1
    for out in (0, 1, 2) if PARTICULARS[game].LEAVE_EARLY else (0,):
        assert (forfeited & (left == out)).any()


# --- Bad input ------------------------------------------------------------------------------------


@spread(
    wrong=(
        ("greedy", "is not a list"),
        (["nobody"], "there is no agent 'nobody'"),
        ([{"random": -1}], "weight"),
        ([{}], "weight"),
        ([{"random": float("nan")}], "weight"),
        ([3], "is no player"),
        ([], "opponents is empty"),
        (["random"] * 9, "players=10"),
    ),
)
def test_wrong_opponents_are_refused_with_what_is_allowed(game, wrong):
    opponents, words = wrong
    with pytest.raises((PlayerError, RulesError), match=words):
        LearnerTables(game, opponents)


@pytest.mark.parametrize("other", GAMES)
@every_game
def test_an_agent_of_another_game_is_no_opponent(game, other):
    player = agents.load(strongest(other), other)
    if other == game:
        LearnerTables(game, [player]).reset(seed=1)
        return
    with pytest.raises(PlayerError, match=f"plays {other}, not {game}"):
        LearnerTables(game, [player])


@every_game
def test_a_wrong_action_leaves_every_table_as_it_was(game):
    learner = LearnerTables(game, opponents_of(game, 3), 8)
    learner.reset(seed=1)
    before = learner.tables.rows.tobytes()
    wrong = learner.masks.argmax(axis=1)
    with pytest.raises(ValueError, match="twice"):
        learner.tables.step(wrong[:2], np.array([0, 0]))
    wrong[5] = learner.masks[5].argmin()
    for actions in (wrong, wrong[:3], wrong.astype(float), np.full(8, -1), np.full(8, 99)):
        with pytest.raises(IllegalAction):
            learner.step(actions)
        assert learner.tables.rows.tobytes() == before


@every_game
def test_acting_before_reset_or_after_the_end_says_what_to_do(game):
    env = LearnerEnv(game, ["random"])
    with pytest.raises(IllegalAction, match=r"call reset\(\) first"):
        env.step(0)
    env = LearnerEnv(game, ["random"], episode="round")
    env.reset(seed=1)
    ended = False
    while not ended:
        *_, ended, _, _ = env.step(int(env.action_masks().argmax()))
    with pytest.raises(IllegalAction, match="is over"):
        env.step(0)


@spread(
    setting=(("learner_seat", 4), ("episode", "game"), ("max_players", 3), ("illegal", "maybe")),
)
def test_impossible_settings_are_refused(game, setting):
    with pytest.raises((PlayerError, RulesError), match="is not possible"):
        LearnerTables(game, ["random"] * 3, **dict([setting]))


# --- Gymnasium ------------------------------------------------------------------------------------


@spread("episode")
def test_gymnasium_make_and_checker(game, episode):
    env = make(game, episode=episode, illegal="lose")
    check_gymnasium(env.unwrapped, skip_render_check=True)


@spread("episode")
def test_sb3_checker(game, episode):
    check_sb3(make(game, episode=episode, illegal="lose").unwrapped)


@every_game
def test_gymnasium_env_renders_the_learners_view(game):
    env = make(game, render_mode="ansi")
    env.reset(seed=1)
    picture = env.render()
    assert picture.startswith(f"{PARTICULARS[game].TITLE}, round ")
    assert "seat 3" in picture
    assert "▒▒" in picture


@every_game
def test_gymnasium_reset_takes_a_built_position(game):
    env, first_seat = LearnerEnv(game, ["random"] * 2, learner_seat=0), games.get(game).first_seat
    deck = list(range(games.get(game).rules.PACK_SIZE))[::-1]
    env.reset(seed=1, options={"deck": deck, first_seat: 0})
    row = env.learner.tables.row(0)
    assert row.deck[: len(deck)].tolist() == deck
    assert getattr(row, first_seat) == 0
    assert int(row.hand[0]) == sum(1 << card for card in deck[: int(row.hand[0]).bit_count()])
    with pytest.raises(ValueError, match="options has 'north'"):
        env.reset(options={"north": 0})


@every_game
def test_gymnasium_same_step_gives_the_final_observation(game):
    envs = make_many(game, 64, episode="round")
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    _, info = envs.reset(seed=1)
    single = LearnerTables(game, opponents_of(game, 3), 64, episode="round")
    single.reset(seed=1)
    generator = np.random.default_rng(1)
    seen = 0
    for _ in range(60):
        actions = random_actions(info["action_mask"], generator)
        observations, rewards, ended, truncated, info = envs.step(actions)
        assert np.array_equal(rewards, single.step(actions))
        assert np.array_equal(ended, single.ended)
        assert not truncated.any()
        for table in np.flatnonzero(ended):
            assert info["_final_obs"][table]
            assert np.array_equal(info["final_obs"][table], single.observations[table])
            seen += 1
        if ended.any():
            single.reset(np.flatnonzero(ended))
        assert np.array_equal(observations, single.observations)
        assert np.array_equal(info["action_mask"], single.masks)
    assert seen > 50


@every_game
def test_gymnasium_next_step_ignores_the_action_that_deals_anew(game):
    envs = LearnerVectorEnv(game, 32, ["random"] * 2, episode="round", autoreset_mode="NextStep")
    _, info = envs.reset(seed=1)
    generator = np.random.default_rng(2)
    before = np.zeros(32, bool)
    for _ in range(60):
        observations, rewards, ended, _, info = envs.step(
            random_actions(info["action_mask"], generator)
        )
        assert (rewards[before] == 0).all()
        assert not ended[before].any()
        assert "final_obs" not in info
        assert (info["action_mask"][ended] == 1).all()
        before = ended
    with pytest.raises(RulesError, match="SAME_STEP"):
        LearnerVectorEnv(game, 2, autoreset_mode="Disabled")
    assert observations.dtype == np.float32


@every_game
def test_gymnasium_wrappers_of_vectors_work(game):
    envs = make_many(game, 16, episode="round")
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    _, info = envs.reset(seed=1)
    episodes = 0
    for _ in range(50):
        *_, info = envs.step(info["action_mask"].argmax(axis=1))
        episodes += int(info.get("_episode", np.zeros(1)).sum())
    assert episodes > 10


@every_game
def test_seeds_of_a_vector_may_be_those_of_single_environments(game):
    envs = LearnerVectorEnv(game, 3, opponents_of(game, 2))
    observations, _ = envs.reset(seed=[5, 6, 7])
    for place, seed in enumerate((5, 6, 7)):
        alone, _ = LearnerEnv(game, opponents_of(game, 2)).reset(seed=seed)
        assert np.array_equal(observations[place], alone)


@every_game
def test_copies_and_pickles_of_an_environment_go_on_identically(game):
    env = make(game).unwrapped
    env.reset(seed=8)
    env.step(int(env.action_masks().argmax()))
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(40):
        action = int(env.action_masks().argmax())
        expected = env.step(action)
        for each in copies:
            got = each.step(action)
            assert np.array_equal(expected[0], got[0])
            assert expected[1:4] == got[1:4]
        if expected[2]:
            break


# --- Stable-Baselines3 ----------------------------------------------------------------------------


@spread(count=(1, 3, 8))
def test_masks_have_a_row_for_each_table(game, count):
    env = LearnerVecEnv(game, count, opponents_of(game, 3))
    env.seed(1)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.shape == (count, len(games.get(game).action_names))
    assert masks.dtype == bool
    for _ in range(20):
        masks = get_action_masks(env)
        assert np.array_equal(masks, env.learner.masks.astype(bool))
        env.step(masks.argmax(axis=1))


@every_game
def test_sb3_infos_hold_the_terminal_observation(game):
    env = LearnerVecEnv(game, 64, opponents_of(game, 3), episode="round")
    env.seed(2)
    env.reset()
    single = LearnerTables(game, opponents_of(game, 3), 64, episode="round")
    single.reset(seed=2)
    seen = 0
    for _ in range(40):
        actions = single.masks.argmax(axis=1)
        observations, rewards, dones, infos = env.step(actions)
        assert np.array_equal(rewards, single.step(actions).astype(np.float32))
        for table in np.flatnonzero(dones):
            assert np.array_equal(infos[table]["terminal_observation"], single.observations[table])
            assert infos[table]["TimeLimit.truncated"] is False
            seen += 1
        if dones.any():
            single.reset(np.flatnonzero(dones))
        assert np.array_equal(observations, single.observations)
    assert seen > 50


@every_game
def test_sb3_shows_a_subclass_every_ended_table_before_it_is_dealt(game):
    class Looking(LearnerVecEnv):
        def look_at_ended(self, ended):
            assert self.learner.ended[ended].all()
            seen.append(self.learner.tables.score[ended, self.learner.seats[ended]].copy())

    seen, sums, paid = [], np.zeros(32), []
    env = Looking(game, 32, opponents_of(game, 3), episode="round")
    env.seed(1)
    env.reset()
    for _ in range(40):
        _, rewards, dones, _ = env.step(env.action_masks().argmax(axis=1))
        sums += rewards
        paid.append(sums[dones])
        sums[dones] = 0
    assert sum(map(len, paid)) > 32
    assert np.allclose(np.concatenate(seen), np.concatenate(paid), atol=1e-6)


@every_game
def test_sb3_wrappers_leave_masks_and_spaces_alone(game):
    inner = LearnerVecEnv(game, 8, opponents_of(game, 3), episode="round")
    space = inner.observation_space
    env = VecCheckNan(VecNormalize(VecMonitor(inner)), raise_exception=True)
    env.seed(1)
    env.reset()
    for _ in range(30):
        masks = get_action_masks(env)
        assert np.array_equal(masks, inner.learner.masks.astype(bool))
        env.step(masks.argmax(axis=1))
    assert inner.observation_space == space


@every_game
def test_what_a_step_returns_is_not_written_by_the_next(game):
    env = LearnerVecEnv(game, 32, opponents_of(game, 3), episode="round")
    vector = LearnerVectorEnv(game, 32, opponents_of(game, 3), episode="round")
    env.seed(1)
    kept = [env.reset(), get_action_masks(env)]
    observations, info = vector.reset(seed=1)
    kept += [observations, info["action_mask"]]
    for _ in range(20):
        before = [array.copy() for array in kept]
        actions = env.action_masks().argmax(axis=1)
        given = env.step(actions)
        observations, rewards, ended, truncated, info = vector.step(actions)
        for array, copied in zip(kept, before, strict=True):
            assert np.array_equal(array, copied)
        kept = [*given[:3], get_action_masks(env), observations, rewards, ended, truncated]
        kept.append(info["action_mask"])


@every_game
def test_workers_of_one_seed_deal_differently_and_reproducibly(game):
    env = LearnerVecEnv(game, 16, ["random"] * 3)
    deals = []
    for _ in range(2):
        env.seed(7)
        env.reset()
        deals.append(env.learner.tables.rows["deck"].copy())
    assert np.array_equal(*deals)
    assert len({deck.tobytes() for deck in deals[0]}) == 16
    env.reset()
    assert not np.array_equal(deals[0], env.learner.tables.rows["deck"])


class AskedFromOutside:
    """A policy that compiled code cannot ask."""

    def __init__(self, policy):
        self.name, self.act, self.check = f"outside {policy.name}", policy.act, policy.check


@spread("players", payment=PAYMENTS)
def test_opponents_play_the_same_inside_compiled_code_as_asked_from_outside(game, players, payment):
    episode, reward = payment
    rules = short_rules(game, reward=reward)
    inside = [agents.load(name, games.get(game)) for name in agents.names(games.get(game))]
    outside = [AskedFromOutside(policy) for policy in inside]

    def trace(everybody):
        shares = [dict.fromkeys(everybody, 1.0)] * (players - 1)
        learner = LearnerTables(game, shares, 32, episode=episode, rules=rules)
        learner.reset(seed=players)
        for rewards in play(learner, 40, seed=players):
            yield rewards, learner.observations, learner.masks, learner.ended.copy(), learner.seats

    for one, other in zip(trace(inside), trace([*inside[:1], *outside[1:]]), strict=True):
        for ours, theirs in zip(one, other, strict=True):
            assert np.array_equal(ours, theirs)
    for one, other in zip(trace(inside), trace(outside), strict=True):
        for ours, theirs in zip(one, other, strict=True):
            assert np.array_equal(ours, theirs)
