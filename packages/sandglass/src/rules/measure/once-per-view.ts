import type { View } from '../../model/view.js'

/** What several rules derive from a view, derived when the first of them asks for it and kept as long as the view. */
export function oncePerView<T>(derive: (view: View) => T): (view: View) => T {
  const known = new WeakMap<View, { readonly value: T }>()
  return (view) => {
    let kept = known.get(view)
    if (!kept) {
      kept = { value: derive(view) }
      known.set(view, kept)
    }
    return kept.value
  }
}
