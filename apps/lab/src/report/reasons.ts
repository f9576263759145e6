/** Why a prediction may be further from the measurement than it should be, by arm: what the simulator knows and what really runs. */
export const reasons: Readonly<Record<string, string>> = {
  uniform:
    'once all slots are held, hardly any request is answered any more: its percentiles are those of the few that were, and move with the instant at which the last slot is lost',
  funnel: 'a fault that begins or ends in the middle of the requests a percentile is made of moves it',
  sandglass: 'a wait for a slot is ordered by CoDel in the runtime, and first come, first served in the simulator',
  cockatiel:
    'its retry also repeats calls that its own open breaker has refused, with waits between them, and its breaker counts every timeout; the simulator plays the breaker of the runtime, which ends at a refusal and does not blame a callee for a limit below its usual p99',
  opossum:
    'its breaker counts a call when it is begun and its failure when it is over, and every timeout counts; the simulator plays the breaker of the runtime, which counts both at the end and does not blame a callee for a limit below its usual p99',
}
