#!/usr/bin/env node
console.error('under construction')
