import Testing
import Varve
import VarveTestSupport

/// Random changes of a list, and the same changes of an array.
enum ListSteps {
  /// One change, or several adjacent changes, with reads anywhere in between.
  static func run<Element>(
    _ list: List<Element>, _ array: inout [Element], _ random: inout SeededRandom,
    _ make: (inout SeededRandom) -> Element
  ) {
    guard random.chance(15) else {
      change(list, &array, &random, make)
      return read(list, array, &random)
    }
    let place = random.below(array.count + 1)
    for _ in 0..<6 {
      changeNear(place, list, &array, &random, make)
      read(list, array, &random)
    }
  }

  /// Compares some elements of the list, by index, with the elements of the array.
  private static func read<Element>(
    _ list: List<Element>, _ array: [Element], _ random: inout SeededRandom
  ) {
    for _ in 0..<min(2, array.count) {
      let place = random.below(array.count)
      let found = list[place]
      if found != array[place] {
        Issue.record("\(found) at \(place) of \(array.count) for \(array[place]), \(random)")
      }
    }
  }

  private static func changeNear<Element>(
    _ near: Int, _ list: List<Element>, _ array: inout [Element], _ random: inout SeededRandom,
    _ make: (inout SeededRandom) -> Element
  ) {
    let place = min(near + random.below(3), array.count)
    if random.chance(50), place < array.count {
      list.remove(at: place)
      array.remove(at: place)
    } else if random.chance(40), place < array.count {
      let element = make(&random)
      list[place] = element
      array[place] = element
    } else {
      let element = make(&random)
      list.insert(element, at: place)
      array.insert(element, at: place)
    }
  }

  private static func change<Element>(
    _ list: List<Element>, _ array: inout [Element], _ random: inout SeededRandom,
    _ make: (inout SeededRandom) -> Element
  ) {
    let count = array.count
    switch random.below(count > 3_000 ? 20 : 14) {
    case 0, 1, 2:
      let element = make(&random)
      list.append(element)
      array.append(element)
    case 3:
      let elements = (0..<random.below(random.chance(10) ? 1_500 : 40)).map { _ in make(&random) }
      list.append(objectsIn: elements)
      array += elements
    case 4, 5:
      let element = make(&random)
      let place = random.below(count + 1)
      list.insert(element, at: place)
      array.insert(element, at: place)
    case 6:
      let elements = (0..<random.below(12)).map { _ in make(&random) }
      let place = random.below(count + 1)
      list.insert(contentsOf: elements, at: place)
      array.insert(contentsOf: elements, at: place)
    case 7 where count > 0:
      let place = random.below(count)
      let element = make(&random)
      list[place] = element
      array[place] = element
    case 8 where count > 0:
      let place = random.below(count)
      list.remove(at: place)
      array.remove(at: place)
    case 9 where count > 0:
      list.removeLast()
      array.removeLast()
    case 10 where count > 1:
      let source = random.below(count)
      let destination = random.below(count)
      list.move(from: source, to: destination)
      array.insert(array.remove(at: source), at: destination)
    case 11 where count > 1:
      let first = random.below(count)
      let second = random.below(count)
      list.swapAt(first, second)
      array.swapAt(first, second)
    case 12 where count > 0:
      let range = Self.range(count, &random)
      let elements = (0..<random.below(5)).map { _ in make(&random) }
      list.replaceSubrange(range, with: elements)
      array.replaceSubrange(range, with: elements)
    case 13...:
      if random.chance(4) {
        list.removeAll()
        array.removeAll()
      } else {
        let range = Self.range(count, &random)
        list.removeSubrange(range)
        array.removeSubrange(range)
      }
    default: break
    }
  }

  private static func range(_ count: Int, _ random: inout SeededRandom) -> Range<Int> {
    let start = random.below(count + 1)
    return start..<min(count, start + random.below(random.chance(10) ? count + 1 : 8))
  }
}
