fetch('http://x.internal')
