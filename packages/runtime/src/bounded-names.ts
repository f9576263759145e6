/** Keeps the number of names small: the first `most` different ones stay as they are, all later ones become `other`. */
export function boundedNames(most: number): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.has(name)) return name
    if (known.size >= most) return 'other'
    known.add(name)
    return name
  }
}
