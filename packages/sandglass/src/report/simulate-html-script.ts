/** Draws the charts of a page from the data it carries; plain script for a browser, `uPlot` is already there. */
export const simulateHtmlScript: string = `
(() => {
  const data = JSON.parse(document.getElementById('data').textContent)
  const $ = (id) => document.getElementById(id)
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const armColour = (i) => css('--arm' + (1 + (i % 6)))
  const wash = (colour) => colour + '26'
  const short = (v) => {
    if (v === null || v === undefined) return '–'
    const a = Math.abs(v)
    if (a >= 10000) return Number((v / 1000).toFixed(a >= 100000 ? 0 : 1)) + 'k'
    return String(Number(a >= 100 ? v.toFixed(0) : a >= 10 ? v.toFixed(1) : v.toFixed(2)))
  }
  const percent = (v) => (v === null || v === undefined ? '–' : (v * 100).toFixed(v < 0.1 && v > 0 ? 1 : 0) + ' %')
  const duration = (ms) => (ms === null || ms === undefined ? '–' : ms >= 60000 ? short(ms / 60000) + ' min' : ms >= 1000 ? short(ms / 1000) + ' s' : short(ms) + ' ms')
  const seconds = (s) => (s >= 600 ? short(s / 60) + ' min' : Number(s.toFixed(1)) + ' s')
  const spread = (v) => (v && !Array.isArray(v) ? v : { mean: v || [], low: null, high: null })
  const charts = []
  const isTime = data.kind === 'time'
  const xText = isTime ? seconds : (v) => (data.unit === 'ms' ? duration(v) : data.unit === 'share' ? percent(v) : short(v) + (data.unit === 'perS' ? '/s' : ''))

  const bands = (isFirst) => ({
    hooks: {
      drawClear: [
        (u) => {
          const { ctx } = u
          const { left, top, width, height } = u.bbox
          const place = (x) => Math.min(left + width, Math.max(left, u.valToPos(x, 'x', true)))
          ctx.save()
          if (data.warmup > 0) {
            ctx.fillStyle = css('--warm')
            ctx.fillRect(left, top, place(data.warmup) - left, height)
          }
          for (const fault of data.faults) {
            ctx.fillStyle = css('--shade')
            ctx.fillRect(place(fault.from), top, place(fault.to) - place(fault.from), height)
          }
          ctx.restore()
        },
      ],
      draw: [
        (u) => {
          if (!isFirst) return
          const { ctx } = u
          ctx.save()
          ctx.font = 11.5 * devicePixelRatio + 'px system-ui,sans-serif'
          ctx.textBaseline = 'top'
          ctx.fillStyle = css('--shade-ink')
          for (const fault of data.faults) {
            const x = Math.max(u.bbox.left, u.valToPos(fault.from, 'x', true))
            const text = fault.text
            const fits = x + ctx.measureText(text).width < u.bbox.left + u.bbox.width
            ctx.textAlign = fits ? 'left' : 'right'
            ctx.fillText(text, (fits ? x + 6 * devicePixelRatio : u.bbox.left + u.bbox.width - 6 * devicePixelRatio), u.bbox.top + 4 * devicePixelRatio)
          }
          ctx.restore()
        },
      ],
    },
  })

  function panel(spec, isFirst, isLast) {
    const root = document.createElement('div')
    root.className = 'panel'
    const side = document.createElement('div')
    const title = document.createElement('h3')
    title.textContent = spec.title
    const hint = document.createElement('p')
    hint.textContent = spec.hint
    const list = document.createElement('ul')
    list.className = 'values'
    const cells = spec.lines.map((line) => {
      const item = document.createElement('li')
      const mark = document.createElement('i')
      mark.style.background = armColour(line.colour)
      const name = document.createElement('span')
      name.textContent = line.name
      name.title = line.name
      const value = document.createElement('b')
      item.append(mark, name, value)
      list.append(item)
      return value
    })
    side.append(title, hint, list)
    const plot = document.createElement('div')
    plot.className = 'plot'
    root.append(side, plot)
    $('panels').append(root)
    const rows = [spec.xs]
    const series = [{}]
    const fills = []
    for (const line of spec.lines) {
      const colour = armColour(line.colour)
      const { mean, low, high } = spread(line.values)
      rows.push(mean)
      series.push({ stroke: colour, width: 2, points: { show: !isTime && spec.xs.length < 60, size: 5, fill: colour, stroke: colour }, spanGaps: false })
      if (!low || !high) continue
      rows.push(high, low)
      const edge = { stroke: 'transparent', width: 0, points: { show: false } }
      fills.push({ series: [series.length, series.length + 1], fill: wash(colour) })
      series.push(edge, edge)
    }
    const places = []
    let row = 1
    for (const line of spec.lines) {
      places.push(row)
      row += spread(line.values).low ? 3 : 1
    }
    const show = (u) => {
      if (u.hint === undefined) return
      const at = u.cursor.idx
      cells.forEach((cell, i) => {
        const values = u.data[places[i]]
        const known = values.filter((v) => v !== null)
        cell.textContent = at === null || at === undefined ? spec.lines[i].summary ?? spec.format(known.length ? Math.max(...known) : null) : spec.format(values[at])
      })
      u.hint.textContent = at === null || at === undefined ? u.hint.usual : 'at ' + xText(u.data[0][at])
    }
    const axis = { stroke: css('--soft'), font: '11.5px system-ui,sans-serif', ticks: { stroke: css('--rule'), width: 1, size: 4 }, grid: { stroke: css('--rule'), width: 1 } }
    const chart = new uPlot(
      {
        width: Math.max(200, plot.clientWidth),
        height: isLast ? 176 : 156,
        padding: [10, isTime ? 8 : 20, 0, 0],
        legend: { show: false },
        cursor: { sync: { key: 'x' }, points: { size: 7 }, drag: { x: true, y: false } },
        scales: {
          x: { time: false, ...(isTime ? { range: (u, min, max) => [min, max] } : {}) },
          y: { range: (u, min, max) => [0, Math.max(spec.least ?? 0, max > 0 ? max * (isFirst && data.faults.length > 0 ? 1.28 : 1.08) : 1)] },
        },
        axes: [
          { ...axis, show: true, size: isLast ? 32 : 14, values: (u, ticks) => ticks.map((v) => (isLast ? xText(v) : '')), gap: 4 },
          { ...axis, size: 64, gap: 6, values: (u, ticks) => ticks.map(spec.format), space: 34 },
        ],
        series,
        bands: fills,
        plugins: [bands(isFirst)],
        hooks: { setCursor: [show] },
      },
      rows,
      plot,
    )
    chart.hint = hint
    hint.usual = spec.hint
    show(chart)
    charts.push({ chart, plot })
  }

  function colourAt(share) {
    const stops = [[0, css('--heat0')], [0.4, css('--heat1')], [0.75, css('--heat2')], [1, css('--heat3')]]
    const parse = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16))
    for (let i = 1; i < stops.length; i++) {
      if (share > stops[i][0] && i < stops.length - 1) continue
      const part = Math.min(1, Math.max(0, (share - stops[i - 1][0]) / (stops[i][0] - stops[i - 1][0])))
      const a = parse(stops[i - 1][1])
      const b = parse(stops[i][1])
      return 'rgb(' + a.map((v, k) => Math.round(v + (b[k] - v) * part)).join(' ') + ')'
    }
  }

  function heat() {
    const arms = data.arms.filter((arm) => Object.values(arm.services).some((service) => service.slots !== null))
    if (arms.length === 0) return
    for (const arm of arms) {
      const root = document.createElement('div')
      root.className = 'panel heat'
      const side = document.createElement('div')
      const title = document.createElement('h4')
      const mark = document.createElement('i')
      mark.style.background = armColour(data.arms.indexOf(arm))
      title.append(mark, arm.name || 'slots in use')
      const names = document.createElement('ul')
      names.className = 'names'
      const strips = document.createElement('div')
      strips.className = 'strips'
      for (const [name, service] of Object.entries(arm.services)) {
        if (service.slots === null) continue
        const busy = spread(service.busy).mean
        const item = document.createElement('li')
        const label = document.createElement('span')
        label.textContent = name
        label.title = name
        const peak = document.createElement('em')
        peak.textContent = percent(Math.min(1, busy.reduce((most, v) => Math.max(most, v), 0) / service.slots))
        item.append(label, peak)
        names.append(item)
        const canvas = document.createElement('canvas')
        canvas.className = 'strip'
        canvas.width = Math.max(1, busy.length)
        canvas.height = 1
        canvas.style.imageRendering = 'pixelated'
        canvas.setAttribute('role', 'img')
        canvas.setAttribute('aria-label', name + ': at most ' + peak.textContent + ' of its ' + service.slots + ' slots were busy')
        const ctx = canvas.getContext('2d')
        busy.forEach((v, i) => {
          ctx.fillStyle = colourAt(Math.min(1, v / service.slots))
          ctx.fillRect(i, 0, 1, 1)
        })
        canvas.onmousemove = (event) => {
          const i = Math.min(busy.length - 1, Math.max(0, Math.floor((event.offsetX / canvas.clientWidth) * busy.length)))
          canvas.title = name + ' at ' + seconds(i * data.window) + ': ' + short(busy[i]) + ' of ' + service.slots + ' slots busy'
        }
        strips.append(canvas)
      }
      side.append(title, names)
      root.append(side, strips)
      $('panels').append(root)
    }
    const key = document.createElement('p')
    key.className = 'hint'
    key.innerHTML = 'Slots in use, service by service, at their most: <span class="scale"></span> none to all'
    $('panels').append(key)
  }

  function timeSpecs(journey, service) {
    const windows = Math.max(1, ...data.arms.flatMap((arm) => Object.values(arm.journeys).map((one) => spread(one.goodputPerS).mean.length)))
    const xs = Array.from({ length: windows }, (_, i) => (i + 0.5) * data.window)
    const lines = (pick) => data.arms.map((arm, i) => ({ name: arm.name || journey, colour: i, values: pick(arm) })).filter((line) => line.values)
    const ofJourney = (name) => lines((arm) => arm.journeys[journey]?.[name])
    const slots = data.arms.map((arm) => arm.services[service]?.slots ?? null)
    const isLimited = slots.some((n) => n !== null)
    const occupied = data.arms.map((arm, i) => ({ name: arm.name || service, colour: i, values: shareOf(arm.services[service]?.busy, isLimited ? slots[i] : 1) })).filter((line) => line.values)
    return [
      { title: 'Goodput', hint: 'good answers in time, per second; highest', xs, lines: ofJourney('goodputPerS'), format: short },
      { title: 'Occupancy', hint: isLimited ? 'busy share of the slots of ' + service + '; highest' : 'requests in ' + service + ' (no limit); highest', xs, lines: occupied, format: isLimited ? percent : short, least: isLimited ? 1 : 0 },
      { title: 'Queue', hint: 'requests waiting for ' + service + '; highest', xs, lines: lines((arm) => arm.services[service]?.queue), format: short },
      { title: 'Attempts', hint: 'requests that reach ' + service + ' per request of a user; highest', xs, lines: lines((arm) => arm.services[service]?.perRequest), format: short, least: 2 },
    ]
  }

  function shareOf(values, whole) {
    if (!values || whole === null) return null
    const scale = (list) => list && list.map((v) => (whole === 1 ? v : Math.min(1, v / whole)))
    return Array.isArray(values) ? scale(values) : { mean: scale(values.mean), low: scale(values.low), high: scale(values.high) }
  }

  function sweepSpecs(journey, operation) {
    const xs = data.points.map((point) => point.value)
    const column = (pick) => {
      const all = data.points.map(pick)
      if (!all.some((v) => v && typeof v === 'object')) return all
      const part = (name) => all.map((v) => (v && typeof v === 'object' ? v[name] : v))
      return { mean: part('mean'), low: part('low'), high: part('high') }
    }
    const line = (name, pick) => [{ name, colour: 0, values: column(pick) }]
    const perS = (v) => (v && typeof v === 'object' ? { mean: v.mean / data.counted, low: v.low / data.counted, high: v.high / data.counted } : v / data.counted)
    const of = (name) => (point) => point.journeys[journey][name]
    return [
      { title: 'Completed', hint: 'requests per second that ' + operation + ' ends, well or not; highest', xs, lines: line(operation, (point) => perS(point.operations[operation].completed)), format: short },
      { title: 'Goodput', hint: 'good answers in time, per second; highest', xs, lines: line(journey, of('goodputPerS')), format: short },
      { title: 'Success', hint: 'share of all requests; highest', xs, lines: line(journey, of('successShare')), format: percent, least: 1 },
      { title: 'p99', hint: 'of what was answered; highest', xs, lines: line(journey, of('p99Ms')), format: duration },
      { title: 'Attempts', hint: 'tries per request of the outermost call; highest', xs, lines: line(journey, of('attemptsPerRequest')), format: short, least: 2 },
    ]
  }

  function draw() {
    for (const { chart } of charts) chart.destroy()
    charts.length = 0
    $('panels').replaceChildren()
    const first = $('pick-journey').value
    const second = $('pick-second').value
    const specs = isTime ? timeSpecs(first, second) : sweepSpecs(first, second)
    specs.forEach((spec, i) => panel(spec, i === 0, i === specs.length - 1))
    if (isTime) heat()
  }

  for (const id of ['pick-journey', 'pick-second']) $(id).onchange = draw
  matchMedia('(prefers-color-scheme:dark)').onchange = draw
  new ResizeObserver(() => {
    for (const { chart, plot } of charts) if (Math.abs(plot.clientWidth - chart.width) > 1) chart.setSize({ width: Math.max(200, plot.clientWidth), height: chart.height })
  }).observe($('panels'))
  draw()
})()
`
