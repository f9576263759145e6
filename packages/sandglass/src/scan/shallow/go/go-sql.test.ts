import { describe, expect, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'
import { scanText } from '../parse.fixture.js'

const expectMarked = (text: string) => expectMarks('go', text)

describe('database/sql', () => {
  it('is unbounded without a context, and with one that has no deadline', async () => {
    await expectMarked(`package a

import (
	"context"
	"database/sql"
	"time"

	_ "github.com/lib/pq"
)

type store struct{ db *sql.DB }

func (s *store) f(ctx context.Context) {
	s.db.Query("SELECT 1") // !
	s.db.QueryContext(ctx, "SELECT 1")
	s.db.ExecContext(context.Background(), "SELECT 1") // !
	short, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s.db.QueryRowContext(short, "SELECT 1")
	tx, _ := s.db.Begin()
	tx.Exec("UPDATE x") // !
}

func g(dsn string) {
	db, err := sql.Open("postgres", dsn)
	rows, err := db.Query("SELECT 1") // !
	_, _ = rows, err
}

func h(db *sql.DB, q url.Values) {
	db.QueryRow("SELECT 1") // !
	q.Query("x")
}
`)
  })

  it('is found in a struct that embeds it, and in a variable of the file', async () => {
    await expectMarked(`package a

import "database/sql"

var db *sql.DB

func open(dsn string) (err error) {
	db, err = sql.Open("postgres", dsn)
	return err
}

func f() { db.Query("SELECT 1") } // !

type repo struct{ *sql.DB }

func (r *repo) g() {
	r.Query("SELECT 1") // !
	r.DB.Exec("SELECT 1") // !
}

type own struct{ *other }

func (o *own) Query(q string) {}

func (o *own) h() { o.Query("x") }
`)
  })

  it('leaves databases of this process, limits of the URL and of the server alone', async () => {
    await expectMarked(`package a

import (
	"database/sql"

	_ "github.com/mattn/go-sqlite3"
)

type store struct{ db *sql.DB }

func (s *store) f() { s.db.Query("SELECT 1") }

func g() {
	a, _ := sql.Open("sqlite3", "x.db")
	a.Query("SELECT 1")
	b, _ := sql.Open("mysql", "u@tcp(h)/d?readTimeout=5s")
	b.Query("SELECT 1")
	c, _ := sql.Open("mysql", "u@tcp(h)/d")
	c.Query("SELECT 1") // !
}
`)
    await expectMarked(`package a

import "database/sql"

func g(db *sql.DB) {
	db.Exec("SET statement_timeout = 5000")
	db.Query("SELECT 1")
}
`)
  })

  it('leaves a store alone that speaks of SQLite in its file or its name', async () => {
    const text = 'package a\n\nimport "database/sql"\n\nfunc f(db *sql.DB) { db.Query("SELECT 1") }\n'
    expect((await scanText('go', text)).findings).toEqual(['5 unbounded-call'])
    expect((await scanText('go', text, 'store/sqlite/user.go')).calls).toEqual([])
    expect((await scanText('go', `${text}// SQLite has one writer.\n`)).calls).toEqual([])
  })

  it('is found through sqlx', async () => {
    await expectMarked(`package a

import "github.com/jmoiron/sqlx"

func f(dsn string, other *sqlx.DB) {
	db, err := sqlx.Connect("postgres", dsn)
	err = db.Get(&x, "SELECT 1") // !
	err = other.Select(&x, "SELECT 1") // !
	_ = err
}
`)
  })
})
