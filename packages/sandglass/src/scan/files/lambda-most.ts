/** AWS lets no function run for longer, in ms; Lambda quotas. */
export const lambdaMostMs = 900_000
