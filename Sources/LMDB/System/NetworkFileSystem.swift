import CLMDB
import Glibc

/// File systems on which LMDB's locks or shared memory do not hold between machines.
enum NetworkFileSystem {
  /// Magic numbers of `statfs(2)`: NFS, SMB, CIFS, SMB2, Ceph, AFS, Coda, Lustre, GPFS, OCFS2.
  private static let magics: Set<UInt32> = [
    0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x00C3_6400, 0x5346_414F, 0x7375_7245, 0x0BD0_0BD0,
    0x4750_4653, 0x7461_636F,
  ]

  static func refuse(_ descriptor: CInt, place: String) throws(CairnError) {
    var status = statfs()
    guard unsafe fstatfs(descriptor, &status) == 0 else { return }
    if magics.contains(UInt32(truncatingIfNeeded: status.f_type)) {
      throw CairnError(
        .badArgument,
        "the file is on a network file system, where locks do not hold; put the "
          + "store on a local disk", place: place)
    }
  }
}
