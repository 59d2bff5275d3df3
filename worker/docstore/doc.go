// Package docstore keeps recycled worker ids in any store that can replace one value if nobody else
// has: object storage, a database of documents, a folder.
//
// A place is 16 values, which [Document] reads and replaces. Package s3store has them in a bucket
// of S3, examples/bucket in Google Cloud Storage and in Azure Blob Storage, and [File] in a folder
// of one machine.
//
// Each value is JSON with the rows of the worker ids that leave the same remainder when divided by
// 16:
//
//	{"ringuid":1,"part":3,"version":"...","made":{},"rows":{"LAYOUT/0000000000000000003":{...}}}
//
// The class is Fenced: the store has to keep what it acknowledged.
package docstore
