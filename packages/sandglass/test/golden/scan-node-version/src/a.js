export const a = (u) => fetch(u)
