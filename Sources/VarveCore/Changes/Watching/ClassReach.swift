import VarveEncoding

/// The classes that can be reached over links from objects of one class, and how far they are.
struct ClassReach {
  private var distances: [UInt32: Int] = [:]
  /// The least distance of the classes with properties that link to a class.
  private var originDistances: [UInt32: Int] = [:]

  /// - Parameters:
  ///   - start: the class at distance 0.
  ///   - depth: how many links are followed.
  ///   - file: the schema that the classes are of.
  /// - Complexity: O(properties of the classes).
  init(from start: ClassSchema, depth: Int, in file: FileSchema) {
    distances[start.id] = 0
    var level = [start]
    for distance in 0...depth {
      var next: [ClassSchema] = []
      for schema in level {
        for property in schema.properties where property.linkedClassID != 0 {
          let target = property.linkedClassID
          if originDistances[target] == nil { originDistances[target] = distance }
          guard distance < depth, distances[target] == nil,
            let found = file.schema(ofClass: target)
          else { continue }
          distances[target] = distance + 1
          next.append(found)
        }
      }
      level = next
    }
  }

  /// The ids of the classes, in no order.
  var classIDs: some Sequence<UInt32> { distances.keys }

  /// How many links lead to a class; nil for one that cannot be reached.
  func distance(to classID: UInt32) -> Int? { distances[classID] }

  /// Whether objects of some class at this distance, or nearer, may link to those of a class.
  func isLinkedTo(_ classID: UInt32, within distance: Int) -> Bool {
    originDistances[classID].map { $0 <= distance } ?? false
  }
}
