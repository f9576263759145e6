export const a = {
