#if VARVE_THREAD_SANITIZER
  import VarveCore

  /// The lock that the thread sanitizer sees.
  typealias Mutex<Value> = VarveCore.Mutex<Value>
#endif
