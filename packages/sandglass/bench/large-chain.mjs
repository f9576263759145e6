/** A sound chain of `services` services in eight layers, each with five calls made together: about 5 MB of YAML for 10,000. */
export function largeChain(services = 10_000, layers = 8, rate = '6/m') {
  const perLayer = Math.ceil(services / layers)
  const lines = [
    'sandglass: 1',
    'defaults: { network: 2ms, reserve: 10ms, floor: 5ms }',
    'journeys:',
    ...Array.from({ length: 20 }, (_, i) => `  journey-${i}: { promise: 4s, starts: s${i}.get, rate: ${rate} }`),
    'services:',
  ]
  for (let i = 0; i < services; i++) {
    const layer = Math.floor(i / perLayer)
    const leaf = layer === layers - 1
    lines.push(`  s${i}:`, '    concurrency: 400', '    instances: 8', '    operations:', '      get:', '        does: read')
    lines.push(leaf ? '        latency: { p50: 4ms, p99: 90ms }' : '        work: { p50: 1ms, p99: 9ms }')
    if (leaf) continue
    lines.push('        calls:', '          - parallel:')
    for (let k = 0; k < calls(layer, layers); k++) {
      const target = (layer + 1) * perLayer + ((i * 7 + k * 131) % Math.min(perLayer, services - (layer + 1) * perLayer))
      lines.push(`              - { to: s${target}.get, timeout: ${3600 - layer * 480}ms, basis: "layer ${layer}" }`)
    }
  }
  return `${lines.join('\n')}\n`
}

/** 50,000 calls over seven calling layers of 1,250 services. */
function calls(layer, layers) {
  return layer < layers - 2 ? 6 : 5
}

/** One path of so many hops, each with the same limit: nearly every call has several findings. */
export function deepChain(hops = 4000) {
  const lines = ['sandglass: 1', 'journeys: { j: { promise: 3s, starts: s0.o, rate: 10/s } }', 'services:']
  for (let i = 0; i < hops; i++) {
    lines.push(`  s${i}:`, '    concurrency: 20', '    operations:', '      o:', '        does: read')
    if (i < hops - 1) lines.push('        calls:', `          - { to: s${i + 1}.o, timeout: 30s }`)
  }
  return `${lines.join('\n')}\n`
}
