// Command gormkey stores orders and their lines with GORM. Their primary keys are
// ids that a BeforeCreate hook sets.
//
//	go run -C examples ./gormkey -driver mysql -dsn 'user:password@tcp(127.0.0.1:3306)/shop'
//	go run -C examples ./gormkey -driver pgx -dsn 'postgres://user:password@127.0.0.1:5432/shop'
package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func main() { demo.Main(run) }

func run(ctx context.Context, args []string, stdout io.Writer) error {
	d, err := demo.ParseDatabase(flag.NewFlagSet("gormkey", flag.ContinueOnError), args, "mysql", "pgx")
	if err != nil {
		return err
	}
	open := mysql.Open
	if d.Driver == "pgx" {
		open = postgres.Open
	}
	db, err := gorm.Open(open(d.DSN), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		return err
	}
	pool, err := db.DB()
	if err != nil {
		return err
	}
	defer pool.Close()

	store := d.Store(pool) // sqlstore.MySQL(pool), say
	if err := store.CreateTable(ctx); err != nil {
		return err
	}
	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{})
	if err != nil {
		return err
	}
	defer gen.Close()

	db = WithIDs(db.WithContext(ctx), gen)
	if err := db.AutoMigrate(&Order{}, &Line{}); err != nil {
		return err
	}
	order := Order{Customer: "Ada", Lines: []Line{{Item: "tea"}, {Item: "coffee"}}}
	if err := db.Create(&order).Error; err != nil {
		return err
	}

	var found Order
	byID := func(db *gorm.DB) *gorm.DB { return db.Order("id") } // as they were made
	if err := db.Preload("Lines", byID).First(&found, order.ID).Error; err != nil {
		return err
	}
	fmt.Fprintf(stdout, "order %v of %s\n", found.ID, found.Customer)
	for _, line := range found.Lines {
		fmt.Fprintf(stdout, "  line %v: %s\n", line.ID, line.Item)
	}
	return nil
}
