fetch('http://never-told')
