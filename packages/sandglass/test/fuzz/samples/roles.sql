CREATE ROLE app LOGIN;
ALTER ROLE app SET statement_timeout = '3s';
ALTER ROLE app IN DATABASE shop SET lock_timeout TO 500;
ALTER DATABASE shop SET idle_in_transaction_session_timeout = '1min';
ALTER SYSTEM SET max_connections = 300;
