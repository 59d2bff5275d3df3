-- name: CreateOrder :exec
INSERT INTO orders (id, item) VALUES ($1, $2);

-- name: GetOrder :one
SELECT * FROM orders WHERE id = $1;

-- name: ListOrders :many
SELECT * FROM orders WHERE id BETWEEN sqlc.arg(first) AND sqlc.arg(last) ORDER BY id;
