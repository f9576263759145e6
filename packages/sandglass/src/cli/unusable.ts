/** Input or arguments that could not be used: exit 2 with these lines, and nothing else. Thrown only inside `cli/`. */
export class Unusable extends Error {
  override readonly name = 'Unusable'

  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'))
  }
}
