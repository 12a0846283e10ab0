"""The noise profile of a query log: how the users of one's own search write."""

from perturb.traffic.log import QueryLog, query_log, read_log
from perturb.traffic.profile import KindShare, Profile, missing, profile_log
from perturb.traffic.profile_file import not_in_mix, read_profile, write_profile

__all__ = [
    "KindShare",
    "Profile",
    "QueryLog",
    "missing",
    "not_in_mix",
    "profile_log",
    "query_log",
    "read_log",
    "read_profile",
    "write_profile",
]
