import { describe, expect, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'
import { scanText } from '../parse.fixture.js'

const expectMarked = (text: string) => expectMarks('go', text)

describe('gRPC', () => {
  it('is unbounded with a context without a deadline; streams and interceptors are left alone', async () => {
    await expectMarked(`package a

import (
	"context"
	"time"

	"google.golang.org/grpc"
	pb "example.com/pb"
)

func f(ctx context.Context, addr string) {
	conn, _ := grpc.NewClient(addr, grpc.WithTransportCredentials(creds))
	c := pb.NewGreeterClient(conn)
	r, err := c.SayHello(context.Background(), nil) // !
	r, err = c.SayHello(ctx, nil)
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	r, err = c.SayHello(short, nil)
	stream, err := c.List(context.Background(), nil)
	stream.Recv()
	other, _ := grpc.Dial(addr, grpc.WithUnaryInterceptor(timeouts))
	r, err = pb.NewGreeterClient(other).SayHello(context.Background(), nil)
	_, _ = r, err
}

func g(conn *grpc.ClientConn) {
	r, err := pb.NewGreeterClient(conn).SayHello(context.Background(), nil)
	_, _ = r, err
}

func h(addr string) {
	grpc.Dial(addr, grpc.WithBlock()) // !
	grpc.Dial(addr, grpc.WithBlock(), grpc.WithTimeout(time.Second))
	grpc.Dial(addr)
}
`)
  })
})

describe('Redis and pgx', () => {
  it('knows the defaults of go-redis and the option that switches them off', async () => {
    const { calls, findings, messages } = await scanText(
      'go',
      `package a

import (
	"time"

	"github.com/redis/go-redis/v9"
)

var a = redis.NewClient(&redis.Options{Addr: "h:6379"})
var b = redis.NewClient(&redis.Options{Addr: "h:6379", ReadTimeout: -1})
var c = redis.NewClient(&redis.Options{ReadTimeout: 500 * time.Millisecond})
var d = redis.NewClient(options)
`,
    )
    expect(calls).toEqual(['9 go-redis 3000 silence', '10 go-redis unbounded', '11 go-redis 500 silence', '12 go-redis unknown'])
    expect(findings).toEqual(['10 unbounded-call'])
    expect(messages[0]).toContain('ReadTimeout: -1 in line 10 switches it off')
  })

  it('finds redigo without a read timeout', async () => {
    await expectMarked(`package a

import (
	"time"

	"github.com/gomodule/redigo/redis"
)

func f(options []redis.DialOption) {
	redis.Dial("tcp", "h:6379") // !
	redis.Dial("tcp", "h:6379", redis.DialPassword("x")) // !
	redis.Dial("tcp", "h:6379", redis.DialReadTimeout(time.Second))
	redis.Dial("tcp", "h:6379", options...)
	redis.DialURL("redis://h") // !
}
`)
  })

  it('takes the context of pgx', async () => {
    await expectMarked(`package a

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

func f(ctx context.Context, url string, given *pgxpool.Pool) {
	pool, err := pgxpool.New(ctx, url)
	rows, err := pool.Query(context.Background(), "SELECT 1") // !
	rows, err = pool.Query(ctx, "SELECT 1")
	given.Exec(context.TODO(), "SELECT 1") // !
	_, _ = rows, err
}
`)
  })
})
