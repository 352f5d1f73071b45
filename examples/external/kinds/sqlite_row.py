"""One row of a table in an SQLite database. The declared properties come as JSON on standard input."""

import json
import pathlib
import sqlite3
import sys


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def where(declared):
    """The condition that selects this row, and its values."""
    return " AND ".join(f"{quoted(name)} IS ?" for name in declared["key"]), list(declared["key"].values())


def get(database, declared):
    database.row_factory = sqlite3.Row
    condition, values = where(declared)
    found = database.execute(f"SELECT * FROM {quoted(declared['table'])} WHERE {condition}", values).fetchone()
    if found is None:
        return {"_exist": False}
    others = {name: value for name, value in dict(found).items() if name not in declared["key"]}
    return {"database": declared["database"], "table": declared["table"], "key": declared["key"], "values": others}


def put(database, declared):
    values = declared.get("values", {})
    if get(database, declared) == {"_exist": False}:
        row = {**declared["key"], **values}
        names, marks = ", ".join(map(quoted, row)), ", ".join("?" * len(row))
        database.execute(f"INSERT INTO {quoted(declared['table'])} ({names}) VALUES ({marks})", list(row.values()))
    elif values:
        condition, which = where(declared)
        changes = ", ".join(f"{quoted(name)} = ?" for name in values)
        update = f"UPDATE {quoted(declared['table'])} SET {changes} WHERE {condition}"
        database.execute(update, [*values.values(), *which])


def delete(database, declared):
    condition, values = where(declared)
    database.execute(f"DELETE FROM {quoted(declared['table'])} WHERE {condition}", values)


operation, declared = sys.argv[1], json.load(sys.stdin)
file = pathlib.Path(declared["database"])
if operation == "get" and not file.exists():
    print(json.dumps({"_exist": False}))
    sys.exit()
try:
    mode = "ro" if operation == "get" else "rw"
    with sqlite3.connect(f"{file.as_uri()}?mode={mode}", uri=True) as database:
        print(json.dumps({"get": get, "set": put, "delete": delete}[operation](database, declared)))
except sqlite3.Error as error:
    print(json.dumps({"error": str(error)}), file=sys.stderr)
    sys.exit(2)
