#!/bin/sh
# Lets a standby in: run once by the image of PostgreSQL, when it makes its files.
echo "host replication all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
