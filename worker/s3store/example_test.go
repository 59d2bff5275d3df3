package s3store_test

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/s3store"
)

// A recycled worker id from a bucket. Most programs make the client from what LoadDefaultConfig of
// the SDK's package config returns.
func Example() {
	client := s3.NewFromConfig(aws.Config{Region: "eu-central-1"})
	store := s3store.New(client, s3store.Options{Bucket: "ids"})
	assigner := worker.Leased(store, worker.Claim{Owner: "orders-7"})

	// A generator's constructor does this.
	lease, err := assigner.Assign(context.Background(), worker.Need{MaxID: 1023, Fingerprint: "..."})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer lease.Release(context.Background(), 0)
	fmt.Println(lease.WorkerID(), lease.Class())
}
