import Varve

// The classes of the oracle workload: a property of each kind that commits differ in.

@Model final class FaultParcel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var label: String
  @Persisted var weight: Int
  /// Often more than 512 bytes, so that it is stored outside the row.
  @Persisted var text: String
  @Persisted var numbers: List<Int>
  @Persisted var notes: Map<String, String>
  @Persisted var next: FaultParcel?
  @Persisted var parts: List<FaultParcel>
  @Persisted(originProperty: "next") var previous: LinkingObjects<FaultParcel>
  @Persisted(originProperty: "parts") var wholes: LinkingObjects<FaultParcel>
}

/// The single object that every transaction changes, which states the content after it.
@Model final class FaultLedger: Object {
  @Persisted(primaryKey: true) var id: Int
  /// The number of the transaction.
  @Persisted var number: Int
  @Persisted var parcelCount: Int
  /// The sum of the hashes of all parcels.
  @Persisted var digest: Int
}

/// A process among several that write. Each transaction changes the object of its process.
@Model final class FaultWriter: Object {
  @Persisted(primaryKey: true) var id: Int
  /// The number of its transactions.
  @Persisted var count: Int
  /// The number of its last transaction.
  @Persisted var number: Int
}
