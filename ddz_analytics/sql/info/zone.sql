-- grain: one row for the whole store: its time zone
SELECT current_setting('TimeZone')
