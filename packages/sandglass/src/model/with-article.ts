/** What an operation does, with its article: "a write", "an idempotent-write", "a manual step". */
export function withArticle(word: string): string {
  if (word === 'manual') return 'a manual step'
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}
