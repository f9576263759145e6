import { describe, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'

const expectMarked = (text: string) => expectMarks('go', text)

describe('net', () => {
  it('has no timeout for a connection over TCP, and none is needed for others', async () => {
    await expectMarked(`package a

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

func f(ctx context.Context, addr, network string) {
	net.Dial("tcp", addr) // !
	net.Dial("udp", "8.8.8.8:80")
	net.Dial("unix", "/run/x.sock")
	net.Dial(network, addr)
	net.DialTimeout("tcp", addr, 3*time.Second)
	tls.Dial("tcp", addr, nil) // !
	d := net.Dialer{Timeout: time.Second}
	d.Dial("tcp", addr)
	e := &net.Dialer{} // !
	e.Dial("tcp", addr)
	(&net.Dialer{}).DialContext(ctx, "tcp", addr)
	(&net.Dialer{}).DialContext(context.Background(), "tcp", addr) // !
}
`)
  })
})
