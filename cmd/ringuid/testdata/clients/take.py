# take.py SOCKET STOP: takes ids until the file STOP is there, and prints them.
import os, sys, time, redis

socket, stop = sys.argv[1:]
client = redis.Redis(unix_socket_path=socket, client_name="python")
try:
    sys.exit(client.lpop("users"))
except redis.ResponseError:
    pass

while not os.path.exists(stop):
    try:
        ids = [client.lpop("ids"), *client.lpop("ids", 10), client.blpop("ids", 5)[1]]
        with client.pipeline(transaction=False) as pipe:
            ids += pipe.lpop("ids").lpop("ids").execute()
        print("".join(f"python {int(id)}\n" for id in ids), end="", flush=True)
        time.sleep(0.005)
    except redis.ConnectionError:  # the server was killed
        time.sleep(0.02)
