import Foundation
import Varve

@Model final class Sample: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var number: Int?
  @Persisted var small: Int8
  @Persisted var double: Double
  @Persisted var optionalDouble: Double?
  @Persisted var float: Float
  @Persisted(indexed: true) var text: String
  @Persisted var optionalText: String?
  @Persisted var flag: Bool
  @Persisted var date: Date?
  @Persisted var data: Data?
  @Persisted var uuid: UUID
  @Persisted var level: Level
  @Persisted var parent: Sample?
  @Persisted var children: List<Sample>
  @Persisted var byName: Map<String, Sample?>
  @Persisted(originProperty: "parent") var descendants: LinkingObjects<Sample>
}
