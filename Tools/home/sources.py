"""One function a source: it writes a history as its program does and says how many events it has.

A function gets the person, the path, the source's name and how many events it should have, and
returns the time of the marked event in microseconds.
"""

import csv
import html
import json
import shutil
import sqlite3
import struct
from datetime import datetime, timezone

from person import END, MARK, file_url

WEBKIT = 11_644_473_600_000_000
APPLE = 978_307_200
BROWSER = "Default/History"


def iso(time):
    return datetime.fromtimestamp(time / 1e6, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def uses_with(uses):
    """The uses as a list, and the time of the marked one."""
    uses = list(uses)
    return uses, next(time for time, use in uses if MARK in (use if type(use) is str else use[1]))


def database(path, schema, rows):
    """Writes a database; `rows` gives a statement with what it is executed with."""
    with sqlite3.connect(path) as connection:
        connection.execute("pragma synchronous=off")
        connection.executescript(schema)
        for statement, values in rows:
            connection.executemany(statement, values)
    connection.close()


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file)


def write_lines(path, rows):
    with open(path, "w") as file:
        file.writelines(rows)


def page_rows(person, source, count):
    """Pages with numbers, and visits by them: what every browser's database has."""
    uses, marked = uses_with(person.page_uses(source, count))
    numbers = {}
    for _, page in uses:
        numbers.setdefault(page, len(numbers) + 1)
    pages = [(number, url, title) for (url, title), number in numbers.items()]
    visits = [(number + 1, numbers[page], time) for number, (time, page) in enumerate(uses)]
    return pages, visits, marked


def chromium(person, path, source, count):
    pages, visits, marked = page_rows(person, source, count)
    database(path, """
      create table urls(id integer primary key, url, title, visit_count, typed_count,
        last_visit_time, hidden);
      create table visits(id integer primary key, url, visit_time, from_visit, transition,
        segment_id, visit_duration, originator_cache_guid);
      create table context_annotations(visit_id integer primary key, total_foreground_duration);
      create table keyword_search_terms(keyword_id, url_id, term, normalized_term);
      """, [
        ("insert into urls values(?,?,?,1,0,0,0)", pages),
        ("insert into visits values(?,?,?,0,?,0,0,'')",
         ((n, u, t + WEBKIT, 0x30000000 | n % 2) for n, u, t in visits)),
        ("insert into context_annotations values(?,?)",
         ((n, n % 50 * 1_000_000) for n, _, _ in visits)),
    ])
    return marked


def copied(person, path, source, count):
    """The profile of Chrome once more, taken along to another machine: nothing of it is new."""
    shutil.copyfile(path.parents[2] / "google-chrome" / BROWSER, path)
    return None, 0


def pages_once(person, source, count):
    """The last use of each page: a page twice would be one bookmark."""
    uses, marked = uses_with(person.page_uses(source, count))
    return list({url: (time, (url, title)) for time, (url, title) in uses}.values()), marked


def files_once(person, source, count):
    uses, marked = uses_with(person.file_uses(source, count))
    return list({name: (time, name) for time, name in uses}.values()), marked


def chromium_bookmarks(person, path, source, count):
    uses, marked = pages_once(person, source, count)
    children = [
        {"type": "url", "name": title, "url": url, "date_added": str(time + WEBKIT), "guid": str(n)}
        for n, (time, (url, title)) in enumerate(uses)
    ]
    write_json(path, {"roots": {"bookmark_bar": {"type": "folder", "children": children}}})
    return marked, len(uses)


def firefox(person, path, source, count):
    pages, visits, marked = page_rows(person, source, count)
    database(path, """
      create table moz_places(id integer primary key, url, title, visit_count, hidden, guid,
        description);
      create table moz_historyvisits(id integer primary key, from_visit, place_id, visit_date,
        visit_type);
      create table moz_bookmarks(id integer primary key, type, fk, parent, position, title,
        dateAdded, lastModified, guid);
      """, [
        ("insert into moz_places values(?,?,?,1,0,'g','')", pages),
        ("insert into moz_historyvisits values(?,0,?,?,1)", visits),
    ])
    return marked


def safari(person, path, source, count):
    pages, visits, marked = page_rows(person, source, count)
    titles = {number: title for number, _, title in pages}
    database(path, """
      create table history_items(id integer primary key, url, domain_expansion, visit_count);
      create table history_visits(id integer primary key, history_item, visit_time real, title,
        load_successful, http_non_get, synthesized, redirect_source, redirect_destination, origin);
      """, [
        ("insert into history_items values(?,?,'',1)", ((n, url) for n, url, _ in pages)),
        ("insert into history_visits values(?,?,?,?,1,0,0,null,null,0)",
         ((n, page, t / 1e6 - APPLE, titles[page]) for n, page, t in visits)),
    ])
    return marked


def epiphany(person, path, source, count):
    pages, visits, marked = page_rows(person, source, count)
    database(path, """
      create table hosts(id integer primary key, url);
      create table urls(id integer primary key, host, url, title, sync_id);
      create table visits(id integer primary key, url, visit_time, visit_type, referring_visit);
      """, [
        ("insert into urls values(?,1,?,?,0)", pages),
        ("insert into visits values(?,?,?,1,0)", visits),
    ])
    return marked


def qutebrowser(person, path, source, count):
    uses, marked = uses_with(person.page_uses(source, count))
    database(path, """
      create table History(url not null, title not null, atime not null, redirect not null);
      create table CompletionHistory(url primary key, title, last_atime);
      """, [("insert into History values(?,?,?,0)",
             ((url, title, time // 1_000_000) for time, (url, title) in uses))])
    return marked


def falkon(person, path, source, count):
    uses, marked = pages_once(person, source, count)
    database(path, """
      create table history(id integer primary key, url unique, title, date, count);
      create table autofill(id integer);
      """, [("insert into history(url,title,date,count) values(?,?,?,2)",
             ((url, title, time // 1000) for time, (url, title) in uses))])
    return marked, len(uses)


def bash(person, path, source, count):
    uses, marked = uses_with(person.command_uses(source, count))
    write_lines(path, (f"#{time // 1_000_000}\n{command}\n" for time, command in uses))
    return marked


def zsh(person, path, source, count):
    uses, marked = uses_with(person.command_uses(source, count))
    write_lines(path, (f": {time // 1_000_000}:0;{command}\n" for time, command in uses))
    return marked


def fish(person, path, source, count):
    uses, marked = uses_with(person.command_uses(source, count))
    write_lines(path, (f"- cmd: {command}\n  when: {time // 1_000_000}\n" for time, command in uses))
    return marked


def lines(person, path, source, count):
    """Commands without times: all of them happened when the file was last written."""
    uses, _ = uses_with(person.command_uses(source, count))
    write_lines(path, (f"{command}\n" for _, command in uses))
    return END * 1_000_000


def atuin(person, path, source, count):
    uses, marked = uses_with(person.command_uses(source, count))
    database(path, """
      create table history(id text primary key, timestamp, duration, exit, command, cwd, session,
        hostname, deleted_at);
      """, [("insert into history values(?,?,1000,0,?,'/home/mira','s','desk:mira',null)",
             ((f"id{n}", time * 1000, command) for n, (time, command) in enumerate(uses)))])
    return marked


def nushell(person, path, source, count):
    uses, marked = uses_with(person.command_uses(source, count))
    database(path, """
      create table history(id integer primary key, command_line, start_timestamp, session_id,
        hostname, cwd, duration_ms, exit_status, more_info);
      """, [("insert into history values(?,?,?,1,'desk','/home/mira',3,0,null)",
             ((n, command, time // 1000) for n, (time, command) in enumerate(uses)))])
    return marked


def xonsh(person, path, source, count):
    uses, marked = uses_with(person.command_uses(source, count))
    database(path, """
      create table xonsh_history(inp, rtn, tsb real, tse real, sessionid, out, info, frequency,
        cwd);
      """, [("insert into xonsh_history values(?,0,?,?,'s','','',1,'/home/mira')",
             ((command, time / 1e6, time / 1e6 + 1) for time, command in uses))])
    return marked


def mcfly(person, path, source, count):
    uses, marked = uses_with(person.command_uses(source, count))
    database(path, """
      create table commands(id integer primary key, cmd, cmd_tpl, session_id, when_run, exit_code,
        selected, dir);
      create table selected_commands(id integer primary key, cmd, session_id, dir);
      """, [("insert into commands values(?,?,'','s',?,0,0,'/home/mira')",
             ((n, command, time // 1_000_000) for n, (time, command) in enumerate(uses)))])
    return marked


def ipython(person, path, source, count):
    uses, marked = uses_with(person.command_uses(source, count))
    database(path, """
      create table sessions(session integer primary key, start timestamp, end timestamp, num_cmds,
        remark);
      create table output_history(session, line, output);
      create table history(session integer, line integer, source text, source_raw text);
      """, [
        ("insert into sessions values(?,?,null,1,'')",
         ((n, iso(time)) for n, (time, _) in enumerate(uses))),
        ("insert into history values(?,1,?,?)",
         ((n, command, command) for n, (_, command) in enumerate(uses))),
    ])
    return marked


def xbel(person, path, source, count):
    uses, marked = files_once(person, source, count)
    with open(path, "w") as file:
        file.write('<?xml version="1.0"?><xbel version="1.0" xmlns:bookmark='
                   '"http://www.freedesktop.org/standards/desktop-bookmarks">\n')
        for time, name in uses:
            file.write(
                f'<bookmark href="{file_url(name)}" added="{iso(time)}" modified="{iso(time)}">'
                '<info><metadata owner="http://freedesktop.org"><bookmark:applications>'
                f'<bookmark:application name="gedit" modified="{iso(time)}" count="3"/>'
                "</bookmark:applications></metadata></info></bookmark>\n")
        file.write("</xbel>\n")
    return marked, len(uses)


def kactivities(person, path, source, count):
    files, marked = uses_with(person.file_uses(source, count))
    # Pages, too, since programs open both.
    pages = list(person.page_uses("kde", count // 4))
    rows = files + [(time, url) for time, (url, _) in pages]
    database(path, """
      create table ResourceEvent(usedActivity, initiatingAgent, targettedResource, start, end);
      create table ResourceInfo(targettedResource primary key, title, mimetype, autoTitle,
        autoMimetype);
      """, [
        ("insert into ResourceEvent values('a','kate',?,?,?)",
         ((name, time // 1_000_000, time // 1_000_000 + 9) for time, name in rows)),
        ("insert or ignore into ResourceInfo values(?,?,'text/html',0,0)",
         ((url, title) for _, (url, title) in pages)),
    ])
    return marked, len(rows)


def zeitgeist(person, path, source, count):
    uses, marked = uses_with(person.page_uses(source, count))
    pages = {page: number + 1 for number, page in enumerate(dict.fromkeys(p for _, p in uses))}
    database(path, """
      create table uri(id integer primary key, value);
      create table interpretation(id integer primary key, value);
      create table manifestation(id integer primary key, value);
      create table mimetype(id integer primary key, value);
      create table actor(id integer primary key, value);
      create table text(id integer primary key, value);
      create table event(id integer, timestamp integer, interpretation, manifestation, actor,
        payload, subj_id, subj_interpretation, subj_manifestation, subj_origin, subj_mimetype,
        subj_text, subj_storage, origin, subj_id_current);
      insert into interpretation values(1, 'http://zeitgeist-project.com/ontologies#AccessEvent');
      insert into manifestation values(1, 'http://zeitgeist-project.com/ontologies#UserActivity');
      insert into actor values(1, 'application://web.desktop');
      insert into mimetype values(1, 'text/html');
      """, [
        ("insert into uri values(?,?)", ((n, url) for (url, _), n in pages.items())),
        ("insert into text values(?,?)", ((n, title) for (_, title), n in pages.items())),
        ("insert into event values(?,?,1,1,1,0,?,0,0,0,1,?,0,0,?)",
         ((n, time // 1000, pages[p], pages[p], pages[p]) for n, (time, p) in enumerate(uses))),
    ])
    return marked


def window_and_pages(person, source, count):
    windows, marked = uses_with(person.title_uses(source, count - count // 2))
    pages = list(person.page_uses(source + "-web", count // 2))
    rows = [(time, "w", {"app": "Kate", "title": title}) for time, title in windows]
    rows += [(time, "p", {"url": u, "title": t, "incognito": False}) for time, (u, t) in pages]
    return rows, marked


def aw_db(person, path, source, count):
    rows, marked = window_and_pages(person, source, count)
    database(path, """
      create table bucketmodel(key integer primary key, id, created, name, type, client, hostname,
        datastr);
      create table eventmodel(id integer primary key, bucket_id, timestamp, duration, datastr);
      insert into bucketmodel values(1,'w1','2016-01-01',null,'currentwindow','c','desk','{}');
      insert into bucketmodel values(2,'p1','2016-01-01',null,'web.tab.current','c','desk','{}');
      """, [("insert into eventmodel values(null,?,?,5,?)",
             (("wp".index(kind) + 1, iso(time), json.dumps(data)) for time, kind, data in rows))])
    return marked


def aw_export(person, path, source, count):
    rows, marked = window_and_pages(person, source, count)
    types = {"w": "currentwindow", "p": "web.tab.current"}
    buckets = {
        kind: {"id": kind, "type": types[kind], "client": "c", "hostname": "laptop", "events": [
            {"timestamp": iso(time), "duration": 4.5, "data": data}
            for time, k, data in rows if k == kind]}
        for kind in types
    }
    write_json(path, {"buckets": buckets})
    return marked


def zoxide(person, path, source, count):
    uses, marked = files_once(person, source, count)
    with open(path, "wb") as file:
        file.write(struct.pack("<IQ", 3, len(uses)))
        for time, name in uses:
            name = name.encode()
            file.write(struct.pack("<Q", len(name)) + name)
            file.write(struct.pack("<dQ", 4.0, time // 1_000_000))
    return marked, len(uses)


def z(person, path, source, count):
    uses, marked = files_once(person, source, count)
    write_lines(path, (f"{name}|3.5|{time // 1_000_000}\n" for time, name in uses))
    return marked, len(uses)


def autojump(person, path, source, count):
    uses, _ = files_once(person, source, count)
    write_lines(path, (f"24.5\t{name}\n" for _, name in uses))
    return END * 1_000_000, len(uses)


def viminfo(person, path, source, count):
    uses, marked = uses_with(person.command_uses(source, count))
    write_lines(path, ["# This viminfo file was generated by Vim 9.0.\n\n|1,4\n"] + [
        f'|2,0,{time // 1_000_000},,"{command}"\n' for time, command in uses])
    return marked


def recentf(person, path, source, count):
    uses, _ = files_once(person, source, count)
    write_lines(path, ["(setq recentf-list\n      '(\n"] + [
        f'        "{name}"\n' for _, name in uses] + ["        ))\n"])
    return END * 1_000_000, len(uses)


def vscode(person, path, source, count):
    uses, marked = uses_with(person.file_uses(source, count))
    path.mkdir()
    for number, (time, name) in enumerate(uses):
        folder = path / f"{number:x}"
        folder.mkdir()
        with open(folder / "entries.json", "w") as file:
            json.dump({"version": 1, "resource": file_url(name),
                       "entries": [{"id": "a.txt", "timestamp": time // 1000}]}, file)
    return marked


def knowledgec(person, path, source, count):
    uses, marked = uses_with(person.title_uses(source, count))
    database(path, """
      create table ZOBJECT(Z_PK integer primary key, ZSTREAMNAME, ZVALUESTRING, ZSTARTDATE,
        ZENDDATE, ZUUID);
      """, [("insert into ZOBJECT values(null,'/app/inFocus',?,?,?,?)",
             ((title, time / 1e6 - APPLE, time / 1e6 - APPLE + 5, f"u{n}")
              for n, (time, title) in enumerate(uses)))])
    return marked


def quarantine(person, path, source, count):
    uses, marked = uses_with(person.page_uses(source, count))
    database(path, """
      create table LSQuarantineEvent(LSQuarantineEventIdentifier text primary key,
        LSQuarantineTimeStamp real, LSQuarantineAgentName, LSQuarantineDataURLString,
        LSQuarantineOriginTitle, LSQuarantineOriginURLString);
      """, [("insert into LSQuarantineEvent values(?,?,'Safari',?,?,?)",
             ((f"q{n}", time / 1e6 - APPLE, url, title, url)
              for n, (time, (url, title)) in enumerate(uses)))])
    return marked


def koreader(person, path, source, count):
    uses, marked = uses_with(person.title_uses(source, count))
    books = {title: number + 1 for number, title in enumerate(dict.fromkeys(t for _, t in uses))}
    database(path, """
      create table book(id integer primary key, title, authors, md5);
      create table page_stat_data(id_book, page, start_time, duration, total_pages);
      """, [
        ("insert into book values(?,?,'A. Writer',?)",
         ((n, title, f"md5-{n}") for title, n in books.items())),
        ("insert into page_stat_data values(?,1,?,60,200)",
         ((books[title], time // 1_000_000) for time, title in uses)),
    ])
    return marked


def takeout_chrome(person, path, source, count):
    uses, marked = uses_with(person.page_uses(source, count))
    write_json(path, {"Browser History": [
        {"url": url, "title": title, "time_usec": time, "client_id": "c",
         "page_transition": "LINK"} for time, (url, title) in uses]})
    return marked


def takeout_activity(person, path, source, count):
    uses, marked = uses_with(person.page_uses(source, count))
    write_json(path, [{"header": "Chrome", "title": "Visited " + title, "titleUrl": url,
                       "time": iso(time), "products": ["Chrome"]}
                      for time, (url, title) in uses])
    return marked


def netscape(person, path, source, count):
    uses, marked = pages_once(person, source, count)
    with open(path, "w") as file:
        file.write("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n")
        for time, (url, title) in uses:
            place = html.escape(url)
            file.write(f'<DT><A HREF="{place}" ADD_DATE="{time // 1_000_000}">{title}</A>\n')
        file.write("</DL>\n")
    return marked, len(uses)


def table(fields, row):
    """A table of articles that somebody kept, one row a page."""
    def write(person, path, source, count):
        uses, marked = pages_once(person, source, count)
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(fields)
            for number, (time, (url, title)) in enumerate(uses):
                writer.writerow(row(number, time, url, title))
        return marked, len(uses)
    return write


pocket = table(["title", "url", "time_added", "tags", "status"],
               lambda n, time, url, title: [title, url, time // 1_000_000, "a|b", "unread"])
instapaper = table(["URL", "Title", "Selection", "Folder", "Timestamp"],
                   lambda n, time, url, title: [url, title, "", "Unread", time // 1_000_000])
raindrop = table(
    ["id", "title", "note", "excerpt", "url", "folder", "tags", "created", "cover", "highlights",
     "favorite"],
    lambda n, time, url, title: [n, title, "", "", url, "All", "a, b", iso(time), "", "", "false"])


def pinboard(person, path, source, count):
    uses, marked = pages_once(person, source, count)
    write_json(path, [{"href": url, "description": title, "extended": "", "time": iso(time),
                       "shared": "no", "toread": "no", "tags": "a b"}
                      for time, (url, title) in uses])
    return marked, len(uses)


def browserexport(person, path, source, count):
    uses, marked = uses_with(person.page_uses(source, count))
    write_json(path, [{"url": url, "dt": time // 1_000_000, "metadata": {"title": title}}
                      for time, (url, title) in uses])
    return marked


def spotify(person, path, source, count):
    uses, marked = uses_with(person.title_uses(source, count))
    write_json(path, [{"ts": iso(time + 60_000_000), "ms_played": 60000, "platform": "linux",
                       "master_metadata_track_name": title,
                       "master_metadata_album_artist_name": "Nils",
                       "master_metadata_album_album_name": "A", "spotify_track_uri": f"spotify:{n}",
                       "incognito_mode": False}
                      for n, (time, title) in enumerate(uses)])
    return marked


def listenbrainz(person, path, source, count):
    uses, marked = uses_with(person.title_uses(source, count))
    with open(path, "w") as file:
        for time, title in uses:
            json.dump({"listened_at": time // 1_000_000, "track_metadata": {
                "artist_name": "Nils", "track_name": title, "release_name": None,
                "additional_info": {}}}, file)
            file.write("\n")
    return marked


def netflix(person, path, source, count):
    uses, marked = uses_with(person.title_uses(source, count))
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Profile Name", "Start Time", "Duration", "Attributes", "Title",
                         "Supplemental Video Type", "Device Type", "Bookmark", "Latest Bookmark",
                         "Country"])
        for time, title in uses:
            writer.writerow(["Mira", iso(time)[:19].replace("T", " "), "00:20:00", "", title, "",
                             "TV", "00:20:00", "Not latest view", "DE"])
    return marked


def ics(person, path, source, count):
    uses, marked = uses_with(person.title_uses(source, count))
    with open(path, "w", newline="") as file:
        file.write("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
        for number, (time, title) in enumerate(uses):
            stamp = iso(time).replace("-", "").replace(":", "")
            file.write(f"BEGIN:VEVENT\r\nUID:{number}@{source}\r\nCREATED:{stamp}\r\n"
                       f"DTSTART:{stamp}\r\nSUMMARY:{title}\r\nEND:VEVENT\r\n")
        file.write("END:VCALENDAR\r\n")
    return marked


def kindle(person, path, source, count):
    uses, marked = uses_with(person.title_uses(source, count))
    with open(path, "w") as file:
        for number, (time, title) in enumerate(uses):
            added = datetime.fromtimestamp(time / 1e6, timezone.utc).strftime(
                "%A, %B %-d, %Y %-I:%M:%S %p")
            file.write(f"{title} (Writer)\n- Your Highlight on page 3 | Location {number}-"
                       f"{number + 3} | Added on {added}\n\n{title}\n==========\n")
    return marked


def outbox(person, path, source, count):
    uses, marked = uses_with(person.title_uses(source, count))
    write_json(path, {"@context": "https://www.w3.org/ns/activitystreams", "orderedItems": [
        {"id": f"https://posts.test/{n}/activity", "type": "Create",
         "actor": "https://posts.test", "published": iso(time), "object": {
             "id": f"https://posts.test/{n}", "type": "Note", "content": f"<p>{title}</p>"}}
        for n, (time, title) in enumerate(uses)]})
    return marked


# Where it lies, who writes it, and its part of all events in thousandths; 0 is some 200 at most.
SOURCES = {
    "chrome": ("home/.config/google-chrome/" + BROWSER, chromium, 300),
    "chrome-work": ("home/.config/google-chrome/Profile 1/History", chromium, 90),
    "copy": ("home/.config/vivaldi/" + BROWSER, copied, 0),
    "brave": ("home/.config/BraveSoftware/Brave-Browser/" + BROWSER, chromium, 40),
    "bookmarks": ("home/.config/chromium/Default/Bookmarks", chromium_bookmarks, 0),
    "firefox": ("home/.mozilla/firefox/ab.default/places.sqlite", firefox, 150),
    "safari": ("home/Library/Safari/History.db", safari, 40),
    "epiphany": ("home/.local/share/epiphany/ephy-history.db", epiphany, 10),
    "qutebrowser": ("home/.local/share/qutebrowser/history.sqlite", qutebrowser, 10),
    "falkon": ("home/.config/falkon/profiles/default/browsedata.db", falkon, 0),
    "bash": ("home/.bash_history", bash, 10),
    "zsh": ("home/.zsh_history", zsh, 40),
    "fish": ("home/.local/share/fish/fish_history", fish, 20),
    "atuin": ("home/.local/share/atuin/history.db", atuin, 40),
    "nushell": ("home/.config/nushell/history.sqlite3", nushell, 5),
    "nushell-text": ("home/.config/nushell/history.txt", lines, 0),
    "powershell": ("home/.local/share/powershell/PSReadLine/ConsoleHost_history.txt", lines, 0),
    "xonsh": ("home/.local/share/xonsh/xonsh-history.sqlite", xonsh, 5),
    "mcfly": ("home/.local/share/mcfly/history.db", mcfly, 5),
    "ipython": ("home/.ipython/profile_default/history.sqlite", ipython, 5),
    "xbel": ("home/.local/share/recently-used.xbel", xbel, 0),
    "kactivities": ("home/.local/share/kactivitymanagerd/resources/database", kactivities, 10),
    "zeitgeist": ("home/.local/share/zeitgeist/activity.sqlite", zeitgeist, 10),
    "aw-db": ("home/.local/share/activitywatch/aw-server/peewee.db", aw_db, 80),
    "zoxide": ("home/.local/share/zoxide/db.zo", zoxide, 0),
    "autojump": ("home/.local/share/autojump/autojump.txt", autojump, 0),
    "z": ("home/.z", z, 0),
    "viminfo": ("home/.viminfo", viminfo, 0),
    "recentf": ("home/.emacs.d/recentf", recentf, 0),
    "vscode": ("home/.config/Code/User/History", vscode, 0),
    "knowledgec": ("home/Library/Application Support/Knowledge/knowledgeC.db", knowledgec, 20),
    "quarantine": ("home/Library/Preferences/com.apple.LaunchServices.QuarantineEventsV2",
                   quarantine, 0),
    "koreader": ("home/.config/koreader/settings/statistics.sqlite3", koreader, 0),
    "takeout-chrome": ("exports/BrowserHistory.json", takeout_chrome, 40),
    "takeout-activity": ("exports/MyActivity.json", takeout_activity, 20),
    "netscape": ("exports/bookmarks.html", netscape, 0),
    "pocket": ("exports/pocket.csv", pocket, 0),
    "instapaper": ("exports/instapaper.csv", instapaper, 0),
    "raindrop": ("exports/raindrop.csv", raindrop, 0),
    "pinboard": ("exports/pinboard.json", pinboard, 0),
    "browserexport": ("exports/browserexport.json", browserexport, 10),
    "activitywatch": ("exports/aw-export.json", aw_export, 10),
    "spotify": ("exports/Streaming_History_Audio_2024.json", spotify, 20),
    "listenbrainz": ("exports/listens.jsonl", listenbrainz, 10),
    "netflix": ("exports/ViewingActivity.csv", netflix, 0),
    "ics": ("exports/calendar.ics", ics, 0),
    "kindle": ("exports/My Clippings.txt", kindle, 0),
    "outbox": ("exports/outbox.json", outbox, 0),
}
