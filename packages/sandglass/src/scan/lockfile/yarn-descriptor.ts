/** The package's name in `axios@^1.0.0`, `@scope/a@npm:1.2.3` or a name alone. */
export function nameIn(descriptor: string): string {
  const at = descriptor.indexOf('@', 1)
  return at < 0 ? descriptor : descriptor.slice(0, at)
}

/** The package that an alias stands for (`mine@npm:axios@^1.0.0` is axios); for any other descriptor its own name. */
export function realNameIn(descriptor: string): string {
  const name = nameIn(descriptor)
  const range = descriptor.slice(name.length + 1)
  const aliased = range.startsWith('npm:') ? range.slice('npm:'.length) : ''
  return aliased.indexOf('@', 1) > 0 ? nameIn(aliased) : name
}
