import type { Bait } from './bait-lines.js'

/** Bait in configs of databases and application servers, and in dumps of them. */
export const serverBait: readonly Bait[] = [
  {
    title: 'PostgreSQL: check points, rotation, replication, vacuum, comments, and the head of a dump',
    files: {
      'db/postgresql.conf': `
max_connections = 100
statement_timeout = 5s
~#statement_timeout = 90s		# in milliseconds, 0 is disabled
~checkpoint_timeout = 15min
~archive_timeout = 60
~wal_sender_timeout = 60s
~wal_receiver_timeout = 90s
~log_rotation_age = 1d
~log_min_duration_statement = 250ms
~log_line_prefix = '%m statement_timeout = 9s '
~autovacuum_naptime = 1min
~deadlock_timeout = 1s
~authentication_timeout = 1min
~vacuum_cost_delay = 9ms
`,
      'db/dump.sql': `
~-- PostgreSQL database dump
~SET statement_timeout = 0;
~SET lock_timeout = 0;
~SET idle_in_transaction_session_timeout = 0;
~SET transaction_timeout = 0;
~SET client_encoding = 'UTF8';
~SELECT pg_catalog.set_config('search_path', '', false);
~CREATE TABLE public.jobs (id bigint NOT NULL, timeout integer DEFAULT 30);
~INSERT INTO public.jobs VALUES (1, 90), (2, 9);
~COMMENT ON COLUMN public.jobs.timeout IS 'SET statement_timeout = 7s';
`,
    },
  },
  {
    title: 'MySQL: other programs, replication, slow log, comments, and the head of a dump',
    files: {
      'db/my.cnf': `
[mysqld]
max_connections = 200
innodb_lock_wait_timeout = 5
~# innodb_lock_wait_timeout = 90
~slave_net_timeout = 60
~long_query_time = 2
~expire_logs_days = 10
~innodb_flush_log_at_timeout = 9
~[mysqldump]
~max_execution_time = 90
~[client]
~connect_timeout = 90
~[mysqld_safe]
~log-error = /var/log/mysql/wait_timeout.log
`,
      'db/dump.sql': `
~-- MySQL dump 10.13
~/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
~SET SESSION wait_timeout = 28800;
~INSERT INTO \`settings\` VALUES (1,'timeout','90s'),(2,'max_execution_time','9');
`,
    },
  },
  {
    title: 'Redis: replication, snapshots, scripts, comments',
    files: {
      'cache/redis.conf': `
timeout 300
maxclients 500
~# timeout 9
~repl-timeout 60
~repl-ping-replica-period 10
~save 900 1
~slowlog-log-slower-than 10000
~latency-monitor-threshold 9
~cluster-node-timeout 15000
~lua-time-limit 5000
~requirepass timeout90
`,
    },
  },
  {
    title: 'PgBouncer: names, checks, statistics, comments',
    files: {
      'pgbouncer.ini': `
[databases]
shop = host=db port=5432 dbname=shop
[pgbouncer]
listen_port = 6432
default_pool_size = 20
query_wait_timeout = 5
~;query_wait_timeout = 90
~# query_timeout = 9
~dns_max_ttl = 15
~server_check_delay = 30
~suspend_timeout = 10
~stats_period = 60
~log_pooler_errors = 1
~tcp_keepidle = 90
`,
    },
  },
  {
    title: 'gunicorn: comments, texts, logs, restarts',
    files: {
      'api/gunicorn.conf.py': `
~"""
~timeout = 90
~"""
bind = "0.0.0.0:8000"
workers = 4
timeout = 30
~# timeout = 90
~max_requests = 1000
~accesslog = "-"
~access_log_format = 'timeout = 9 %(h)s'
~session_timeout = 3600
~cache_timeout = 9
~notes = "timeout = 7"
`,
    },
  },
  {
    title: 'uWSGI: other sections, mules, timers, comments',
    files: {
      'api/uwsgi.ini': `
[uwsgi]
socket = 0.0.0.0:3031
processes = 4
harakiri = 30
~; harakiri = 90
~# harakiri = 9
~mule-harakiri = 900
~reload-mercy = 8
~worker-reload-mercy = 60
~cron = 0 0 -1 -1 -1 /usr/bin/clean --timeout 90
~log-maxsize = 20971520
~idle = 3600
~[notes]
~harakiri = 7
`,
    },
  },
  {
    title: 'php-fpm: the master, slow logs, sessions, comments',
    files: {
      'php/www.conf': `
~[global]
~process_control_timeout = 10s
~emergency_restart_interval = 1m
[www]
listen = 9000
pm = dynamic
pm.max_children = 5
request_terminate_timeout = 30s
~;request_terminate_timeout = 90s
~request_slowlog_timeout = 5s
~slowlog = /var/log/php-90s.log
~pm.process_idle_timeout = 10s
~php_value[session.gc_maxlifetime] = 1440
~php_admin_value[opcache.revalidate_freq] = 60
`,
    },
  },
]
