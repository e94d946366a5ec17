# PostgreSQL's container sources this file once, when it creates the database.
psql --username postgres --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/database_password)" <<'SQL'
CREATE ROLE fairlog LOGIN PASSWORD :'password';
CREATE DATABASE fairlog OWNER fairlog;
SQL
