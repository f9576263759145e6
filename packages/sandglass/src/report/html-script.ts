/** What makes the page answer: a marked call shows its findings when pointed at or focused, goes to the first when chosen, and a finding shows its call. */
export const htmlScript = `
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)]
  const peek = document.getElementById('peek')
  const marks = all('[role=button][data-key]')
  const cards = all('.finding')
  const of = (list, key) => list.filter((each) => each.dataset.key === key)

  const light = (key) => {
    for (const each of all('.lit')) each.classList.remove('lit')
    if (key) for (const each of [...of(all('.line,.label,.node'), key), ...of(cards, key)]) each.classList.add('lit')
  }
  const show = (mark) => {
    const found = of(cards, mark.dataset.key)
    if (!found.length) return
    peek.replaceChildren(...found.slice(0, 3).flatMap((card) => [...card.querySelectorAll('h3,.sum')].map((part) => part.cloneNode(true))))
    if (found.length > 3) peek.append('… and ' + (found.length - 3) + ' more')
    peek.hidden = false
    const at = mark.getBoundingClientRect()
    const size = peek.getBoundingClientRect()
    const below = at.bottom + 10 + size.height < innerHeight
    peek.style.left = Math.max(8, Math.min(innerWidth - size.width - 8, at.left + at.width / 2 - size.width / 2)) + 'px'
    peek.style.top = Math.max(8, below ? at.bottom + 10 : at.top - size.height - 10) + 'px'
    light(mark.dataset.key)
  }
  const hide = () => { peek.hidden = true; light(document.activeElement?.dataset?.key) }
  const go = (key) => {
    const card = of(cards, key)[0]
    if (!card) return
    light(key)
    card.scrollIntoView({ block: 'start', behavior: matchMedia('(prefers-reduced-motion:reduce)').matches ? 'auto' : 'smooth' })
    card.focus({ preventScroll: true })
    peek.hidden = true
  }

  for (const [index, mark] of marks.entries()) {
    mark.addEventListener('pointerenter', () => show(mark))
    mark.addEventListener('pointerleave', hide)
    mark.addEventListener('focus', () => show(mark))
    mark.addEventListener('blur', hide)
    mark.addEventListener('click', () => go(mark.dataset.key))
    mark.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
      if (step) { event.preventDefault(); marks[(index + step + marks.length) % marks.length].focus() }
      if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); go(mark.dataset.key) }
    })
  }
  for (const card of cards) card.addEventListener('pointerenter', () => light(card.dataset.key))
  addEventListener('keydown', (event) => { if (event.key === 'Escape') { peek.hidden = true; light() } })
})()
`
