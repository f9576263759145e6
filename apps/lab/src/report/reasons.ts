/** Why a prediction may be further from the measurement than it should be, by arm: what the simulator knows, and what really runs. */
export const reasons: Readonly<Record<string, string>> = {
  uniform:
    'once all slots are held, hardly a request is answered any more: its percentiles are those of the few that still were, and differ as much from seed to seed as from run to run',
  funnel: 'a hop that is slower now and then than the median the simulator was told',
  sandglass:
    'a wait for a slot that ends in time ends up to 6 ms late in the runtime (one coarse timer for all deadlines), and asking Redis for the last good answer takes a hop; the simulator knows of neither',
  cockatiel:
    'which of its breakers opens first is a race: when an inner one wins, its fallback answers, when the outermost wins, every order is refused for 10 s; and its retry repeats, with waits, what its own open breaker has refused, so that real fallbacks come about a second later than simulated ones',
  opossum:
    'its breaker counts a call when it is begun and its failure when it is over; the simulator plays the breaker of the runtime, which counts both when it is over and does not blame a callee for a limit below its usual p99',
}

/** The reason where a fault was played that no chain file has a word for, or that came while the arm ran. */
export const untoldReason: string =
  'a fault was played that the simulator was not told of: one between two services, or one that was asked for while the arm ran'
