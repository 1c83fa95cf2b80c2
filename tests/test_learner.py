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
import cardenv  # noqa: F401 - registers the ids
from cardenv.envs.gymnasium import LearnerEnv, LearnerVectorEnv
from cardenv.envs.learner import LearnerTables
from cardenv.envs.sb3 import LearnerVecEnv
from cardenv.players import PlayerError
from cardenv.rules import RulesError
from cardenv.table import IllegalAction, Tables

ID = "cardenv/Schwimmen-v0"


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


@pytest.mark.parametrize("players", [2, 3, 5, 9])
@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("reward", ["match", "rounds"])
def test_step_rewards_sum_to_the_score_of_the_episode(players, episode, reward):
    learner = LearnerTables(
        "31", ["random"] * (players - 1), 64, episode=episode, rules=[f"reward={reward}", "lives=1"]
    )
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


def test_every_observation_is_the_learners_own_at_its_own_decision():
    learner = LearnerTables("31", ["greedy"] * 3, 32, episode="match")
    learner.reset(seed=3)
    for _ in play(learner, 60):
        live = np.flatnonzero(~learner.ended)
        tables = learner.tables
        assert (tables.turn[live] == learner.seats[live]).all()
        expected = tables.layout.scaled(tables.observe(learner.seats[live], live))
        assert np.array_equal(learner.observations[live], expected)
        assert np.array_equal(learner.masks[live], tables.masks[live])


@pytest.mark.parametrize("players", [2, 9])
def test_rounds_that_end_before_the_learner_acts_are_skipped_and_counted(players):
    learner = LearnerTables("31", ["greedy"] * (players - 1), 2000, episode="round")
    learner.reset(seed=1)
    skipped = int(learner.skipped_rounds.sum())
    # A 31 at the deal ends 0.5 % of rounds with two players and 5.7 % with nine; with nine, more
    # end by an exchange to 31 before the learner's first turn.
    low, high = {2: (1, 40), 9: (120, 600)}[players]
    assert low <= skipped <= high
    assert (learner.skipped_score[learner.skipped_rounds == 0] == 0).all()
    assert (~learner.ended).all()


def test_skipped_scores_and_step_rewards_together_are_all_scores():
    """Nothing is lost: over many rounds the scores played through belong to the average too."""
    learner = LearnerTables("31", ["random"] * 8, 512, episode="round", learner_seat=0)
    learner.reset(seed=5)
    total = learner.skipped_score.sum()
    for rewards in play(learner, 40):
        total += rewards.sum()
    # The learner plays as its opponents do, so its mean score over all rounds is near zero.
    assert abs(total) / (512 * 10) < 0.1


@pytest.mark.parametrize("seat", [0, 2])
def test_the_learners_seat_can_be_fixed(seat):
    learner = LearnerTables("31", ["random"] * 3, 50, learner_seat=seat)
    learner.reset(seed=1)
    assert (learner.seats == seat).all()


def test_skip_forced_asks_only_where_there_is_a_choice():
    rules = ["letter", "stop_after=none", "redraw789=off"]
    learner = LearnerTables("31", ["random"] * 2, 64, rules=rules, skip_forced=True)
    learner.reset(seed=1)
    for _ in play(learner, 50):
        assert (learner.masks[~learner.ended].sum(axis=1) > 1).all()


def test_opponents_are_drawn_by_their_weights_anew_each_episode():
    learner = LearnerTables("31", [{"greedy": 3, "random": 1}, "expert", "random"], 4000)
    learner.reset(seed=1)
    playing = learner._playing[np.arange(4000), (learner.seats + 1) % 4]
    names = np.array([player.name for player in learner._players])[playing]
    assert 0.72 < (names == "greedy").mean() < 0.78
    assert set(names) == {"greedy", "random"}
    before = names.copy()
    learner.reset()
    playing = learner._playing[np.arange(4000), (learner.seats + 1) % 4]
    assert (np.array([player.name for player in learner._players])[playing] != before).any()


def test_a_table_plays_the_same_alone_and_in_any_batch():
    seeds = [11, 12, 13]
    batch = LearnerTables("31", ["greedy", "expert", "random"], 3)
    batch.reset(seed=seeds)
    alone = [LearnerTables("31", ["greedy", "expert", "random"], 1) for _ in seeds]
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


def test_learner_skin_and_bare_tables_play_the_same_games():
    """The same seed and actions give the same rows, whoever carries the actions out."""
    learner = LearnerTables("31", ["greedy"] * 3, 20, episode="match", learner_seat=1)
    learner.reset(seed=9)
    bare = Tables("31", 20, 4, episode="match")
    bare.seed(9)
    bare.reset()
    greedy = agents.load("greedy", "31")
    for _ in range(40):
        while (at := np.flatnonzero((bare.turn >= 0) & (bare.turn != 1) & _in(bare, 1))).size:
            bare.step(greedy.act(bare.observations[at], bare.masks[at], bare.play_keys(at)), at)
        live = np.flatnonzero(~learner.ended)
        assert (bare.rows[live] == learner.tables.rows[live]).all()
        if not live.size:
            break
        actions = learner.masks[live].argmax(axis=1)
        learner.step(actions, live)
        bare.step(actions, live)


def _in(tables, seat):
    return (tables.rows["left"] >> np.uint64(seat)) & np.uint64(1) == 0


def test_state_dict_goes_on_exactly():
    one = LearnerTables("31", ["greedy", {"random": 1, "expert": 1}], 16, episode="match")
    one.reset(seed=4)
    for _ in play(one, 7):
        pass
    other = LearnerTables("31", ["greedy", {"random": 1, "expert": 1}], 16, episode="match")
    other.load_state_dict(one.state_dict())
    for a, b in zip(play(one, 60, 2), play(other, 60, 2), strict=True):
        assert np.array_equal(a, b)
    assert np.array_equal(one.observations, other.observations)


def test_a_forfeit_sums_to_zero_also_once_somebody_is_out():
    tables = Tables("31", 300, 4, rules=["lives=0"], episode="match", illegal="lose")
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
    for out in (0, 1, 2):
        assert (forfeited & (left == out)).any()


# --- Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opponents", "words"),
    [
        ("greedy", "is not a list"),
        (["nobody"], "there is no agent 'nobody'"),
        ([{"greedy": -1}], "weight"),
        ([{}], "weight"),
        ([{"greedy": float("nan")}], "weight"),
        ([3], "is no player"),
        ([], "opponents is empty"),
        (["greedy"] * 9, "players=10"),
    ],
)
def test_wrong_opponents_are_refused_with_what_is_allowed(opponents, words):
    with pytest.raises((PlayerError, RulesError), match=words):
        LearnerTables("31", opponents)


def test_a_wrong_action_leaves_every_table_as_it_was():
    learner = LearnerTables("31", ["greedy"] * 3, 8)
    learner.reset(seed=1)
    before = learner.tables.rows.tobytes()
    wrong = learner.masks.argmax(axis=1)
    wrong[5] = 13
    with pytest.raises(ValueError, match="twice"):
        learner.tables.step(np.array([14, 14]), np.array([0, 0]))
    for actions in (wrong, wrong[:3], wrong.astype(float), np.full(8, -1), np.full(8, 99)):
        with pytest.raises(IllegalAction):
            learner.step(actions)
        assert learner.tables.rows.tobytes() == before


def test_acting_before_reset_or_after_the_end_says_what_to_do():
    env = LearnerEnv("31", ["greedy"])
    with pytest.raises(IllegalAction, match=r"call reset\(\) first"):
        env.step(0)
    env = LearnerEnv("31", ["greedy"], episode="round")
    env.reset(seed=1)
    ended = False
    while not ended:
        *_, ended, _, _ = env.step(int(env.action_masks().argmax()))
    with pytest.raises(IllegalAction, match="is over"):
        env.step(0)


@pytest.mark.parametrize(
    "settings", [{"learner_seat": 4}, {"episode": "game"}, {"max_players": 3}, {"illegal": "maybe"}]
)
def test_impossible_settings_are_refused(settings):
    with pytest.raises((PlayerError, RulesError), match="is not possible"):
        LearnerTables("31", ["random"] * 3, **settings)


# --- Gymnasium ------------------------------------------------------------------------------------


def test_gymnasium_make_and_checker():
    env = gymnasium.make(ID, opponents=["greedy"] * 3, illegal="lose")
    check_gymnasium(env.unwrapped, skip_render_check=True)


def test_sb3_checker():
    check_sb3(gymnasium.make(ID, opponents=["greedy"] * 3, illegal="lose").unwrapped)


def test_gymnasium_env_renders_the_learners_view():
    env = gymnasium.make(ID, opponents=["greedy"] * 3, render_mode="ansi")
    env.reset(seed=1)
    picture = env.render()
    assert "seat 3" in picture
    assert "▒▒" in picture


def test_gymnasium_reset_takes_a_built_position():
    env = LearnerEnv("31", ["random"] * 2, learner_seat=0)
    deck = list(range(31, -1, -1))
    env.reset(seed=1, options={"deck": deck, "dealer": 0})
    assert env.learner.tables.row(0).hand[0] == sum(1 << card for card in deck[:3])
    with pytest.raises(ValueError, match="options has 'starter'"):
        env.reset(options={"starter": 0})


def test_gymnasium_same_step_gives_the_final_observation():
    envs = gymnasium.make_vec(
        ID,
        num_envs=64,
        vectorization_mode="vector_entry_point",
        opponents=["greedy"] * 3,
        episode="round",
    )
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    _, info = envs.reset(seed=1)
    single = LearnerTables("31", ["greedy"] * 3, 64, episode="round")
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


def test_gymnasium_next_step_ignores_the_action_that_deals_anew():
    envs = LearnerVectorEnv("31", 32, ["random"] * 2, episode="round", autoreset_mode="NextStep")
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
        LearnerVectorEnv("31", 2, autoreset_mode="Disabled")
    assert observations.dtype == np.float32


def test_gymnasium_wrappers_of_vectors_work():
    envs = gymnasium.make_vec(
        ID, 16, vectorization_mode="vector_entry_point", opponents=["greedy"] * 3, episode="round"
    )
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    _, info = envs.reset(seed=1)
    episodes = 0
    for _ in range(50):
        *_, info = envs.step(info["action_mask"].argmax(axis=1))
        episodes += int(info.get("_episode", np.zeros(1)).sum())
    assert episodes > 10


def test_seeds_of_a_vector_may_be_those_of_single_environments():
    envs = LearnerVectorEnv("31", 3, ["greedy"] * 2)
    observations, _ = envs.reset(seed=[5, 6, 7])
    for place, seed in enumerate((5, 6, 7)):
        alone, _ = LearnerEnv("31", ["greedy"] * 2).reset(seed=seed)
        assert np.array_equal(observations[place], alone)


def test_copies_and_pickles_of_an_environment_go_on_identically():
    env = gymnasium.make(ID, opponents=["greedy"] * 3).unwrapped
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


@pytest.mark.parametrize("count", [1, 3, 8])
def test_masks_have_a_row_for_each_table(count):
    env = LearnerVecEnv("31", count, ["greedy"] * 3)
    env.seed(1)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.shape == (count, 17)
    assert masks.dtype == bool
    for _ in range(20):
        masks = get_action_masks(env)
        assert np.array_equal(masks, env.learner.masks.astype(bool))
        env.step(masks.argmax(axis=1))


def test_sb3_infos_hold_the_terminal_observation():
    env = LearnerVecEnv("31", 64, ["greedy"] * 3, episode="round")
    env.seed(2)
    env.reset()
    single = LearnerTables("31", ["greedy"] * 3, 64, episode="round")
    single.reset(seed=2)
    for _ in range(20):
        actions = single.masks.argmax(axis=1)
        observations, rewards, dones, infos = env.step(actions)
        assert np.array_equal(rewards, single.step(actions).astype(np.float32))
        for table in np.flatnonzero(dones):
            assert np.array_equal(infos[table]["terminal_observation"], single.observations[table])
            assert infos[table]["TimeLimit.truncated"] is False
        if dones.any():
            single.reset(np.flatnonzero(dones))
        assert np.array_equal(observations, single.observations)


def test_sb3_wrappers_leave_masks_and_spaces_alone():
    inner = LearnerVecEnv("31", 8, ["greedy"] * 3, episode="round")
    space = inner.observation_space
    env = VecCheckNan(VecNormalize(VecMonitor(inner)), raise_exception=True)
    env.seed(1)
    env.reset()
    for _ in range(30):
        masks = get_action_masks(env)
        assert np.array_equal(masks, inner.learner.masks.astype(bool))
        env.step(masks.argmax(axis=1))
    assert inner.observation_space == space


def test_what_a_step_returns_is_not_written_by_the_next():
    env = LearnerVecEnv("31", 32, ["greedy"] * 3, episode="round")
    vector = LearnerVectorEnv("31", 32, ["greedy"] * 3, episode="round")
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


def test_workers_of_one_seed_deal_differently_and_reproducibly():
    env = LearnerVecEnv("31", 16, ["random"] * 3)
    deals = []
    for _ in range(2):
        env.seed(7)
        env.reset()
        deals.append(env.learner.tables.rows["deck"].copy())
    assert np.array_equal(*deals)
    assert len({deck.tobytes() for deck in deals[0]}) == 16
    env.reset()
    assert not np.array_equal(deals[0], env.learner.tables.rows["deck"])
