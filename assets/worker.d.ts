// What site/views.py writes in front of the worker.
declare const SITE: { version: string; static: string | null; offline: string; files: string[]; leaving: string[] };
