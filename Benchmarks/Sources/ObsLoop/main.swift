import Foundation
import Varve
@Model final class Row: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var age = 0
  @Persisted var name = ""
  @Persisted var list: List<Int>
  @Persisted var map: Map<String, Int>
}
let kind = CommandLine.arguments[1]
let count = Int(CommandLine.arguments[2])!
let tracks = CommandLine.arguments.count > 3
let directory = FileManager.default.temporaryDirectory.appending(path: "obsloop-\(UUID())")
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
defer { try? FileManager.default.removeItem(at: directory) }
nonisolated(unsafe) var configuration = Realm.Configuration(fileURL: directory.appending(path: "a.varve"), durability: .none, mapReservation: 1 << 30)
let realm = try Realm(configuration: configuration)
try realm.write {
  for id in 0..<1000 { realm.create(Row.self, value: ["id": id, "age": id, "name": "name \(id)"]) }
  let row = realm.object(ofType: Row.self, forPrimaryKey: 1)!
  row.list.append(objectsIn: 0..<10000)
  for i in 0..<100 { row.map["k\(i)"] = i }
}
let row = realm.object(ofType: Row.self, forPrimaryKey: 1)!
let list = row.list, map = row.map, rows = realm.objects(Row.self)
func now() -> Double { var t = timespec(); clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return Double(t.tv_sec) * 1e9 + Double(t.tv_nsec) }
@inline(never) func run(_ count: Int) throws -> Int {
  var sum = 0
  switch kind {
  case "int": for _ in 0..<count { sum &+= row.age }
  case "string": for _ in 0..<count { sum &+= row.name.utf8.count }
  case "lookup": for i in 0..<count { if realm.object(ofType: Row.self, forPrimaryKey: i & 511) != nil { sum &+= 1 } }
  case "element": for i in 0..<count { sum &+= list[i & 8191] }
  case "listcount": for _ in 0..<count { sum &+= list.count }
  case "map": for _ in 0..<count { sum &+= map["k7"] ?? 0 }
  case "result": for i in 0..<count { sum &+= rows.count &+ i }
  case "view": for _ in 0..<count { sum &+= try Realm(configuration: configuration).isFrozen ? 1 : 0 }
  default: fatalError()
  }
  return sum
}
_ = try run(1000)
let start = now()
let sum = try run(count)
print(kind, (now() - start) / Double(count), "ns", sum)
