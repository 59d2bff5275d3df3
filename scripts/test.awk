# Reads the events of go test -json, a file for each go test, and prints what has finished and
# what is running; with totals=1 how the packages ended, and why tests were skipped. See test.sh.

function field(name, begin) {
  begin = "\"" name "\":\""
  if (!match($0, begin "[^\"]*")) return ""
  return substr($0, RSTART + length(begin), RLENGTH - length(begin))
}

function seconds_of(clock, part) { # hh:mm:ss
  split(clock, part, ":")
  return part[1] * 3600 + part[2] * 60 + part[3]
}

{
  action = field("Action")
  package = FILENAME SUBSEP field("Package")
  test = package SUBSEP field("Test")
  ended = action ~ /^(pass|fail|skip)$/
}

test == package SUBSEP && action == "start" { running[package] }
test == package SUBSEP && ended { delete running[package]; finished++; ends[action]++ }
test == package SUBSEP { next }

# The last such line of a skipped test is t.Skip's, behind those of t.Log.
action == "output" && match($0, /"Output":" *[^ "]*\.go:[0-9]+: /) {
  why[test] = substr($0, RSTART + RLENGTH)
  sub(/(\\n)?"}$/, "", why[test])
  gsub(/\\"/, "\"", why[test])
  gsub(/\\u003c/, "<", why[test])
  gsub(/\\u003e/, ">", why[test])
  gsub(/\\u0026/, "\\&", why[test])
}
action == "skip" { skipped[test in why ? why[test] : "no reason given"]++ }

# Of tests within a test, the outer one is enough.
field("Test") ~ /\// { next }
action == "run" || action == "cont" { begun[test] = seconds_of(substr(field("Time"), 12, 8)) }
action == "pause" || ended { delete begun[test] }

END {
  if (totals) {
    printf "packages: %d; failed: %d; without tests: %d\n", finished, ends["fail"], ends["skip"]
    for (reason in skipped) printf "skipped: %d: %s\n", skipped[reason], reason
    exit
  }
  for (test in begun) {
    split(test, part, SUBSEP)
    age = (seconds_of(now) - begun[test] + 86400) % 86400
    if (age > 43200) age = 0 # it began after the clock was looked at
    package = part[1] SUBSEP part[2]
    if (package in longest && age <= ages[package]) continue
    longest[package] = part[3]
    ages[package] = age
  }
  for (package in running) {
    split(package, part, SUBSEP)
    sub(module, "", part[2])
    what = what (what ? ", " : "running: ") part[2]
    if (package in longest) what = what " (" longest[package] " " ages[package] "s)"
  }
  printf "%dm%02ds: packages: %d%s finished, %d failed; %s\n", elapsed / 60, elapsed % 60,
    finished, packages ? " of " packages : "", ends["fail"], what ? what : "compiling"
}
