import type { Fault } from '../model/chain.js'
import { seizeSlots } from './cancel.js'
import { cancelEvent, NO_EVENT, onGrid, scheduleEvent } from './event-queue.js'
import { EVENT, type SimOperation, TIME, type World } from './world.js'

/** The fault's last instant: it is over at this time. */
export function faultEndsAt(fault: Fault): number {
  return fault.atMs.value + (fault.forMs?.value ?? Number.POSITIVE_INFINITY)
}

/** Schedules every beginning and end of a fault. */
export function scheduleFaults(world: World, faults: readonly Fault[]): void {
  for (const fault of faults) {
    for (const at of [fault.atMs.value, faultEndsAt(fault)]) {
      if (at <= world.endAt) scheduleEvent(world.queue, at, EVENT.faultChange, 0)
    }
  }
}

/**
 * Brings every operation to what the faults of this instant make of it. Faults on the same thing add up: times and speeds
 * multiply, additions add, shares are independent of each other, of slots the fewest count. A slower `capacity` also slows the
 * work under way, as a throttled processor does; a `latency` holds for work that begins.
 */
export function applyFaults(world: World, faults: readonly Fault[], baseline: readonly Baseline[]): void {
  const active = faults.filter((fault) => world.now >= onGrid(fault.atMs.value) && world.now < onGrid(faultEndsAt(fault)))
  for (const service of world.services) {
    const left = Math.min(
      ...active.filter((fault) => serviceName(fault) === service.name && fault.slots).map((fault) => fault.slots!.value),
    )
    seizeSlots(world, service, service.isLimited ? Math.max(0, service.slots.slots - left) : 0)
  }
  for (const operation of world.operations) {
    strike(
      world,
      operation,
      active.filter((fault) => fault.on.value === operation.id || fault.on.value === operation.service.name),
      baseline[operation.index]!,
    )
  }
}

/** What an operation does without any fault. */
export interface Baseline {
  readonly errorShare: number
  readonly hangShare: number
}

function serviceName(fault: Fault): string {
  return fault.on.value.split('.', 1)[0] ?? ''
}

function strike(world: World, operation: SimOperation, faults: readonly Fault[], baseline: Baseline): void {
  let { errorShare, hangShare } = baseline
  let speed = 1
  operation.times = 1
  operation.addMs = 0
  operation.isDown = false
  for (const { latency, capacity, errors, hang, down } of faults) {
    if (latency && 'times' in latency.value) operation.times *= latency.value.times
    if (latency && 'addMs' in latency.value) operation.addMs += latency.value.addMs
    if (capacity) speed *= capacity.value
    if (errors) errorShare = either(errorShare, errors.value)
    if (hang) hangShare = either(hangShare, hang.value)
    if (down?.value) operation.isDown = true
  }
  operation.errorShare = errorShare
  operation.hangShare = hangShare
  if (speed !== operation.speed) changeSpeed(world, operation, speed)
}

function either(a: number, b: number): number {
  return 1 - (1 - a) * (1 - b)
}

function changeSpeed(world: World, operation: SimOperation, speed: number): void {
  const slower = operation.speed / speed
  operation.speed = speed
  for (const job of world.jobs) {
    if (job.operation !== operation || job.phase !== 'working' || job.timer === NO_EVENT) continue
    cancelEvent(world.queue, job.timer)
    const place = job.handle * TIME.size + TIME.workEndsAt
    const endsAt = world.now + (world.times[place]! - world.now) * slower
    world.times[place] = endsAt
    job.timer = scheduleEvent(world.queue, endsAt, EVENT.workDone, job.handle)
  }
}
