<?php
// take.php SOCKET STOP: eight workers, as those of PHP-FPM, take ids until the file STOP is there,
// and print each with a name of the worker.
[, $socket, $stop] = $argv;

$redis = new Redis();
$redis->connect($socket);
try {
    var_dump($redis->lPop('users')); // false would become 0 in a row
    exit(1);
} catch (RedisException $e) {
}

for ($worker = 0; $worker < 8; $worker++) {
    if (pcntl_fork() !== 0) {
        continue;
    }
    while (!file_exists($stop)) {
        try {
            $redis = new Redis();
            $redis->connect($socket);
            while (!file_exists($stop)) {
                $ids = [$redis->lPop('ids'), ...$redis->rawCommand('LPOP', 'ids', '10')];
                $ids[] = $redis->blPop(['ids'], 5)[1];
                array_push($ids, ...$redis->pipeline()->lPop('ids')->lPop('ids')->exec());
                fwrite(STDOUT, implode('', array_map(fn($id) => "php$worker $id\n", $ids)));
                usleep(5000); // leave the processor to the slowest client
            }
        } catch (RedisException $e) { // the server was killed
            usleep(20000);
        }
    }
    exit(0);
}
while (pcntl_wait($status) > 0) {
    if ($status !== 0) exit(1);
}
