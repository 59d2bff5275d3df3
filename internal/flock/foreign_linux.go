package flock

import "syscall"

// foreign are the file systems of which statfs says these numbers.
var foreign = map[uint32]string{0x6969: "NFS", 0x517b: "SMB", 0xff534d42: "SMB", 0xfe534d42: "SMB",
	0x01021997: "9p", 0x65735546: "FUSE", 0x786f4256: "VirtualBox"}

// Foreign names the kind of file system that a file is on if other kernels may have it too, as on a
// network: each may have locks of its own. It is empty for a local disk.
func Foreign(path string) string {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(path, &fs); err != nil {
		return "" // it is told when the file is opened
	}
	return foreign[uint32(fs.Type)]
}
