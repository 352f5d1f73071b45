"""One row of a table in an SQLite database. What is asked for comes as JSON on standard input."""

import json
import pathlib
import sqlite3
import sys


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def where(wish):
    """The condition that only this row meets, and its values."""
    return " AND ".join(f"{quoted(name)} IS ?" for name in wish["key"]), list(wish["key"].values())


def get(database, wish):
    database.row_factory = sqlite3.Row
    condition, values = where(wish)
    found = database.execute(f"SELECT * FROM {quoted(wish['table'])} WHERE {condition}", values).fetchone()
    if found is None:
        return {"_exist": False}
    others = {name: value for name, value in dict(found).items() if name not in wish["key"]}
    return {"database": wish["database"], "table": wish["table"], "key": wish["key"], "values": others}


def put(database, wish):
    values = wish.get("values", {})
    if get(database, wish) == {"_exist": False}:
        row = {**wish["key"], **values}
        names, marks = ", ".join(map(quoted, row)), ", ".join("?" * len(row))
        database.execute(f"INSERT INTO {quoted(wish['table'])} ({names}) VALUES ({marks})", list(row.values()))
    elif values:
        condition, which = where(wish)
        changes = ", ".join(f"{quoted(name)} = ?" for name in values)
        update = f"UPDATE {quoted(wish['table'])} SET {changes} WHERE {condition}"
        database.execute(update, [*values.values(), *which])


def delete(database, wish):
    condition, values = where(wish)
    database.execute(f"DELETE FROM {quoted(wish['table'])} WHERE {condition}", values)


operation, wish = sys.argv[1], json.load(sys.stdin)
file = pathlib.Path(wish["database"])
if operation == "get" and not file.exists():
    print(json.dumps({"_exist": False}))
    sys.exit()
try:
    mode = "ro" if operation == "get" else "rw"
    with sqlite3.connect(f"{file.as_uri()}?mode={mode}", uri=True) as database:
        print(json.dumps({"get": get, "set": put, "delete": delete}[operation](database, wish)))
except sqlite3.Error as error:
    print(json.dumps({"error": str(error)}), file=sys.stderr)
    sys.exit(2)
