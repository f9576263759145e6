// Written by tools/generate-rule-pages.mjs from docs/rules; do not edit.

/** A rule in half a sentence, and its page in Markdown. */
export interface RulePage {
  readonly title: string
  readonly text: string
}

/** The page of every rule, by its id. */
export const rulePages: Readonly<Record<string, RulePage>> = {
}
