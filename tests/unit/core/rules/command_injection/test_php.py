from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.command_injection import RULE

PATH = "src/run.php"
REPORTED = {
    "a runner of the program whose name ends like exec": """
        <?php function down($port) {
          myexec("/sbin/ifconfig {$port} down"); // BAD
        }
        """,
    "options of sendmail": """
        <?php
        mail('team@example.com', 'Hello', $body, $headers, '-f' . $_POST['from']); // BAD
        """,
    "method": """
        <?php
        class Net { public function ping($host) {
          return shell_exec('ping -c 1 ' . $host); // BAD
        } }
        """,
    "backticks": """
        <?php
        $out = `whois $_GET[domain]`; // BAD
        """,
    "field that the constructor was given": """
        <?php
        class Thumbnail {
          public function __construct(private string $source, Log $log) { $this->log = $log; }
          public function make() { exec('convert ' . $this->source . ' small.png'); } // BAD
        }
        """,
    "runner of the program": """
        <?php
        class Git { public function log($name) { return $this->runCommand('git log ' . $name); } } // BAD
        """,
    "texts that a process runs": """
        <?php
        function play($request) {
            Process::run('aplay ' . $request->input('song')); // BAD
            $process = new Process('mpg123 ' . $request->input('song')); // BAD
        }
        """,
}
QUIET = {
    "a runner of the program with a quoted word": """
        <?php function down($port) { myexec('/sbin/ifconfig ' . escapeshellarg($port) . ' down'); }
        """,
    "names that end like exec and run no command": """
        <?php function get($handle, $port) { curl_exec($handle); pg_exec("/sbin/ifconfig {$port} down"); }
        """,
    "mail": """
        <?php
        mail($_POST['to'], $_POST['subject'], $_POST['text'], 'From: me@example.com', '-fme@example.com');
        """,
    "quoted": """
        <?php
        class Net { public function ping($host) { return shell_exec('ping -c 1 ' . escapeshellarg($host)); } }
        """,
    "number": """
        <?php
        exec('kill ' . (int) $_GET['pid']);
        """,
    "field that the constructor was given, escaped": """
        <?php
        class Thumbnail {
          public function __construct(private string $source) {}
          public function make() { exec('convert ' . escapeshellarg($this->source) . ' small.png'); }
        }
        """,
    "runner of the program, escaped": """
        <?php
        class Git { public function log($name) { return $this->runCommand('git log ' . escapeshellarg($name)); } }
        """,
    "commands of a protocol": """
        <?php
        class Mailer { public function say($name) {
          $this->executeCommand(sprintf("helo %s\\r\\n", $name));
          $this->executeCommand('AUTH PLAIN ' . $name);
        } }
        """,
    "lists that a process runs": """
        <?php
        function play($request) {
            Process::run(['aplay', '--', $request->input('song')]);
            $process = new Process(['mpg123', '--', $request->input('song')]);
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW] == []
