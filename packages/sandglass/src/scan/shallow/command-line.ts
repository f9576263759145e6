import type { Source } from '../../model/sourced.js'

/** What reads the words of a command line, or is a command of Django. */
const COMMANDS =
  /\bsys\.argv\b|^\s*(?:import|from)\s+(?:argparse|click|typer|docopt|fire)\b|^\s*from\s+django\.core\.management\.base\s+import\b/m
/** What starts to answer others, or works for them. */
const SERVES =
  /^\s*(?:import|from)\s+(?:flask|fastapi|uvicorn|gunicorn|aiohttp\.web|starlette|tornado|sanic|bottle|celery|grpc|socketserver|http\.server|pika|kombu)\b|\.(?:listen|serve_forever)\(|\bweb\.run_app\(|^\s*from\s+(?:aiohttp\s+import\s+web|rest_framework|django\.(?:http|views))\b/m

/** True for Python that people start by hand with words of a command line, and that serves nobody. */
export function isCommandLine({ file, text }: Source): boolean {
  return file.endsWith('.py') && COMMANDS.test(text) && !SERVES.test(text)
}
