"""Games that RLCard plays, by its own random agents, and what its steps cost."""

from __future__ import annotations

from time import perf_counter, process_time

from tests.bench.measuring import Cost

GAMES = 30


def steps() -> Cost:
    """What `env.step` takes for one game, on the average of some; agents choose outside of what is measured."""
    import rlcard
    from rlcard.agents import RandomAgent

    wall = cpu = 0.0
    for game in range(GAMES):
        env = rlcard.make("doudizhu", config={"seed": game})
        agents = [RandomAgent(num_actions=env.num_actions) for _ in range(3)]
        state, seat = env.reset()
        while not env.is_over():
            action, _ = agents[seat].eval_step(state)
            begun, used = perf_counter(), process_time()
            state, seat = env.step(action)
            wall, cpu = wall + perf_counter() - begun, cpu + process_time() - used
    return Cost(wall / GAMES, cpu / GAMES)
