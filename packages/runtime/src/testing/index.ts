export { type FakePeer, fakePeer, type PeerBehaviour, type PeerVisit } from './fake-peer.js'
export { type ManualClock, type ManualClockOptions, useManualClock } from './manual-clock.js'
